import type { Application } from '@org/abci'
import type { Snapshot } from '@org/types/abci'
import { concatBytes, utf8ToBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'

/** More than the node offers to peers. */
const KEEP = 14
const FORMAT = 1
const CHUNKS = 3
const CHUNK_BYTES = 20_000

/** Snapshots with contents that only the application has. They do not survive a crash. */
export interface TallySnapshots {
  readonly make: (height: number, hash: Uint8Array) => void
  readonly list: NonNullable<Application['listSnapshots']>
  readonly chunk: NonNullable<Application['loadSnapshotChunk']>
}

export function createTallySnapshots(): TallySnapshots {
  const kept = new Map<number, Snapshot>()

  return {
    make: (height, hash) => {
      const made = { height, format: FORMAT, chunks: CHUNKS, hash: sha256(concatBytes(hash, utf8ToBytes(`${height}`))) }
      kept.set(height, { ...made, metadata: new Uint8Array(0) })
      const [oldest] = kept.keys()
      if (kept.size > KEEP && oldest !== undefined) kept.delete(oldest)
    },
    list: () => ({ snapshots: [...kept.values()] }),
    chunk: ({ height, format, chunk: index }) => {
      const snapshot = kept.get(height)
      if (snapshot === undefined || format !== FORMAT || index >= CHUNKS) return { chunk: new Uint8Array(0) }
      const chunk = new Uint8Array(CHUNK_BYTES).fill(index + 1)
      chunk.set(snapshot.hash)
      return { chunk }
    },
  }
}
