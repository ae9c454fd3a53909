import type { AbciClient } from '@org/abci'
import { ApplySnapshotChunkResult, OfferSnapshotResult, type Snapshot } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'

/** The maximum number of bytes of one remembered snapshot of an application. */
const MAX_BYTES = 64 << 20
/** The maximum number of chunks of one remembered snapshot. */
const MAX_CHUNKS = 10_000

/** A snapshot that an application made, with its content. */
export interface RememberedState {
  readonly snapshot: Snapshot
  readonly chunks: readonly Uint8Array[]
  /** The app hash of the chain after the snapshot's height. */
  readonly appHash: Uint8Array
}

type SnapshotCalls = Pick<AbciClient, 'listSnapshots' | 'loadSnapshotChunk' | 'offerSnapshot' | 'applySnapshotChunk'>

function isSame(one: Snapshot, other: Snapshot): boolean {
  return one.height === other.height && one.format === other.format && equalBytes(one.hash, other.hash)
}

/**
 * Reads the newest snapshot of the application. `last` is the result of the call before. If `last` is still the newest
 * snapshot, it is returned without reading its chunks again. Resolves with `undefined` if the application has no
 * snapshot of this chain, or only snapshots that are too large.
 */
export async function readNewestSnapshot(
  calls: SnapshotCalls,
  appHashOf: (height: number) => Uint8Array | undefined,
  last: RememberedState | undefined,
): Promise<RememberedState | undefined> {
  const { snapshots } = await calls.listSnapshots({})
  const ordered = snapshots.toSorted((a, b) => Number(b.height) - Number(a.height))
  for (const snapshot of ordered) {
    const appHash = appHashOf(Number(snapshot.height))
    if (appHash === undefined || snapshot.chunks > MAX_CHUNKS) continue
    if (last !== undefined && isSame(last.snapshot, snapshot)) return last
    const chunks: Uint8Array[] = []
    let remainingBytes = MAX_BYTES
    for (let index = 0; index < snapshot.chunks && remainingBytes >= 0; index++) {
      const { height, format } = snapshot
      const { chunk } = await calls.loadSnapshotChunk({ height, format, chunk: index })
      remainingBytes -= chunk.length
      chunks.push(chunk)
    }
    if (remainingBytes >= 0) return { snapshot, chunks, appHash }
  }
  return undefined
}

/**
 * Restores a snapshot into the application. Rejects with `DEVNET_APP_REFUSES_SNAPSHOT`; the state of the application
 * may be incomplete then.
 */
export async function restoreSnapshot(calls: SnapshotCalls, remembered: RememberedState): Promise<void> {
  const { snapshot, chunks, appHash } = remembered
  const refused = (what: string): DevnetError =>
    new DevnetError(
      DEVNET_ERRORS.appRefusesSnapshot,
      `the application refused its own snapshot of height ${snapshot.height}: ${what}`,
    )
  const { result } = await calls.offerSnapshot({ snapshot, appHash })
  if (result !== OfferSnapshotResult.accept) throw refused(`OfferSnapshot answered ${result}`)
  for (const [index, chunk] of chunks.entries()) {
    const answer = await calls.applySnapshotChunk({ index, chunk, sender: '' })
    if (answer.result !== ApplySnapshotChunkResult.accept)
      throw refused(`ApplySnapshotChunk answered ${answer.result} to chunk ${index}`)
  }
}
