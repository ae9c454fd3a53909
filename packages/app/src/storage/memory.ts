import { bytesToBinary } from '@org/types/bytes'
import type { Storage } from './port.ts'

/**
 * The maximum size of a snapshot that is restored into memory. Untrusted peers send the snapshot, and must not be able
 * to fill the memory.
 */
const MAX_SNAPSHOT_BYTES = 512 * 1024 * 1024

/**
 * A storage in memory. Its data is lost when the process ends. At its next start, the node replays all blocks into the
 * application.
 */
export function createMemoryStorage(): Storage {
  const pairs = new Map<string, Uint8Array>()
  return {
    maxSnapshotBytes: MAX_SNAPSHOT_BYTES,
    get: (key) => pairs.get(bytesToBinary(key)),
    write: async (ops) => {
      for (const op of ops) {
        if (op.type === 'put') pairs.set(bytesToBinary(op.key), op.value)
        else pairs.delete(bytesToBinary(op.key))
      }
    },
    clear: async () => pairs.clear(),
    close: async () => undefined,
  }
}
