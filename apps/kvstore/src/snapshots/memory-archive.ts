import type { Snapshot } from '@org/types/abci'
import { byHeight, type SnapshotArchive } from './archive.ts'

interface Kept {
  readonly snapshot: Snapshot
  readonly chunks: readonly Uint8Array[]
}

/** Creates an archive that keeps the snapshots in memory. */
export function createMemoryArchive(maxBytes: number): SnapshotArchive {
  const kept = new Map<number, Kept>()
  return {
    maxBytes,
    list: () => [...kept.values()].map(({ snapshot }) => snapshot).sort(byHeight),
    chunk: (height, index) => Promise.resolve(kept.get(height)?.chunks[index]),
    begin: () => {
      const chunks: Uint8Array[] = []
      return Promise.resolve({
        add: (chunk) => {
          chunks.push(chunk.slice())
          return Promise.resolve()
        },
        finish: (snapshot) => {
          kept.set(snapshot.height, { snapshot, chunks })
          return Promise.resolve()
        },
        abandon: () => Promise.resolve(),
      })
    },
    remove: (height) => {
      kept.delete(height)
      return Promise.resolve()
    },
  }
}
