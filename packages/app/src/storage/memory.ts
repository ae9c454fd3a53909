import { bytesToBinary } from '@org/types/bytes'
import type { Storage } from './port.ts'

/** A storage that is gone when the process ends: the node then replays the chain into the application. */
export function createMemoryStorage(): Storage {
  const pairs = new Map<string, Uint8Array>()
  return {
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
