import { compareBytes } from '@org/types/bytes'
import type { KeyValueStorage, StorageOp } from './storage.ts'

type Entry = readonly [key: Uint8Array, value: Uint8Array]

export function createMemoryStorage(): KeyValueStorage {
  const latin1 = new TextDecoder('latin1')
  const pairs = new Map<string, Entry>()

  function apply(op: StorageOp): void {
    const id = latin1.decode(op.key)
    // Copies, because what the caller holds may be a view of a large network buffer.
    if (op.type === 'put') pairs.set(id, [op.key.slice(), op.value.slice()])
    else pairs.delete(id)
  }

  async function* iterate(entries: readonly Entry[]): AsyncGenerator<Entry> {
    yield* entries
  }

  return {
    get: (key) => pairs.get(latin1.decode(key))?.[1],
    write: (ops) => {
      for (const op of ops) apply(op)
      return Promise.resolve()
    },
    entries: () => iterate([...pairs.values()].sort(([a], [b]) => compareBytes(a, b))),
    close: () => Promise.resolve(),
  }
}
