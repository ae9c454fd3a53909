import { createSlabs } from '@org/types/bytes'
import type { KeyValueStorage, StorageOp } from './storage.ts'

type Entry = readonly [key: Uint8Array, value: Uint8Array]

/** The size of a buffer that values share. It is small, because one value keeps the whole buffer in memory. */
const SLAB = 4096

/**
 * Returns a function that copies bytes, because the caller's bytes may be a view of a large network buffer. Small
 * copies share buffers.
 */
function createKeeper(): (bytes: Uint8Array) => Uint8Array {
  const bufferOf = createSlabs(SLAB)
  return (bytes) => {
    const kept = bufferOf(bytes.length)
    kept.set(bytes)
    return kept
  }
}

/** The bytes as a text with one character per byte. */
const textOf = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

export function createMemoryStorage(): KeyValueStorage {
  const values = new Map<string, Uint8Array>()
  const keep = createKeeper()

  function apply(op: StorageOp): void {
    if (op.type === 'put') values.set(textOf(op.key), keep(op.value))
    else values.delete(textOf(op.key))
  }

  async function* iterate(entries: readonly (readonly [string, Uint8Array])[]): AsyncGenerator<Entry> {
    for (const [key, value] of entries) yield [bytesOf(key), value]
  }

  return {
    get: (key) => values.get(textOf(key)),
    write: (ops) => {
      for (const op of ops) apply(op)
      return Promise.resolve()
    },
    // Texts with one character per byte sort in the order of the bytes.
    entries: () => iterate([...values].sort(([a], [b]) => (a < b ? -1 : 1))),
    close: () => Promise.resolve(),
  }
}
