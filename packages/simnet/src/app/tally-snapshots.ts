import type { Application } from '@org/abci'
import { ApplySnapshotChunkResult, OfferSnapshotResult, type Snapshot } from '@org/types/abci'
import { bytesToUtf8, concatBytes, equalBytes, utf8ToBytes } from '@org/types/bytes'
import { HASH_SIZE, sha256 } from '@org/types/crypto'

/** The number of snapshots that are kept. It is greater than the number that the node offers to peers. */
const KEEP = 14
const FORMAT = 1
const CHUNKS = 3
const CHUNK_BYTES = 20_000

/** All that an application needs to compute its state: the transactions in order, and the height of each. */
export interface TallyContents {
  readonly height: number
  readonly txs: ReadonlyMap<string, number>
}

/** A snapshot and its chunks. */
export interface TallySnapshot {
  readonly snapshot: Snapshot
  readonly chunks: readonly Uint8Array[]
}

/**
 * Makes a snapshot from the contents of an application. The metadata of the snapshot are the hashes of its chunks; the
 * hash of the snapshot is the hash of the metadata.
 */
export function tallySnapshot({ height, txs }: TallyContents): TallySnapshot {
  const text = utf8ToBytes(JSON.stringify([height, [...txs]]))
  const size = Math.max(CHUNK_BYTES, Math.ceil(text.length / CHUNKS))
  const padded = new Uint8Array(CHUNKS * size).fill(0x20)
  padded.set(text)
  const chunks = Array.from({ length: CHUNKS }, (_, index) => padded.subarray(index * size, (index + 1) * size))
  const metadata = concatBytes(...chunks.map(sha256))
  return { snapshot: { height, format: FORMAT, chunks: CHUNKS, hash: sha256(metadata), metadata }, chunks }
}

/** Snapshots that the application has made. They do not survive a crash. */
export interface TallySnapshots {
  readonly make: (contents: TallyContents) => void
  readonly list: NonNullable<Application['listSnapshots']>
  readonly chunk: NonNullable<Application['loadSnapshotChunk']>
}

export function createTallySnapshots(): TallySnapshots {
  const kept = new Map<number, TallySnapshot>()

  return {
    make: (contents) => {
      kept.set(contents.height, tallySnapshot(contents))
      const [oldest] = kept.keys()
      if (kept.size > KEEP && oldest !== undefined) kept.delete(oldest)
    },
    list: () => ({ snapshots: Array.from(kept.values(), ({ snapshot }) => snapshot) }),
    chunk: ({ height, format, chunk: index }) => {
      const chunk = format === FORMAT ? kept.get(height)?.chunks[index] : undefined
      return { chunk: chunk ?? new Uint8Array(0) }
    },
  }
}

/** Restores a snapshot that peers send. If a crash interrupts the restore, all data of the restore are lost. */
export interface TallyRestore {
  readonly offer: NonNullable<Application['offerSnapshot']>
  readonly apply: NonNullable<Application['applySnapshotChunk']>
}

function contentsOf(chunks: readonly Uint8Array[]): TallyContents {
  const [height, txs] = JSON.parse(bytesToUtf8(concatBytes(...chunks))) as [number, [string, number][]]
  return { height, txs: new Map(txs) }
}

/**
 * Creates the calls that restore a snapshot. `restored` is called with the contents of a complete snapshot, and throws
 * an error if the application refuses the contents.
 */
export function createTallyRestore(restored: (contents: TallyContents) => void): TallyRestore {
  let offered: Snapshot | undefined
  let chunks: Uint8Array[] = []

  return {
    offer: ({ snapshot }) => {
      if (snapshot === undefined || snapshot.format !== FORMAT) return { result: OfferSnapshotResult.rejectFormat }
      const { metadata, hash } = snapshot
      const isWhole = snapshot.chunks === CHUNKS && metadata.length === CHUNKS * HASH_SIZE
      if (!isWhole || !equalBytes(sha256(metadata), hash)) return { result: OfferSnapshotResult.rejectSender }
      offered = snapshot
      chunks = []
      return { result: OfferSnapshotResult.accept }
    },
    apply: ({ index, chunk, sender }) => {
      const hash = offered?.metadata.subarray(index * HASH_SIZE, (index + 1) * HASH_SIZE)
      if (hash === undefined) return { result: ApplySnapshotChunkResult.abort }
      if (!equalBytes(sha256(chunk), hash))
        return { result: ApplySnapshotChunkResult.retry, refetchChunks: [index], rejectSenders: [sender] }
      chunks[index] = chunk
      if (chunks.length < CHUNKS) return { result: ApplySnapshotChunkResult.accept }
      try {
        restored(contentsOf(chunks))
        return { result: ApplySnapshotChunkResult.accept }
      } catch {
        return { result: ApplySnapshotChunkResult.rejectSnapshot }
      }
    },
  }
}
