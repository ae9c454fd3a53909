import { createSlabs } from '@org/types/bytes'
import type { KeyValueStorage, StorageOp } from './storage.ts'

type Entry = readonly [key: Uint8Array, value: Uint8Array]

/** Bytes of a buffer that values share. Not more: a value that stays keeps the whole buffer, also if the others go. */
const SLAB = 4096

/** Copies, because what the caller holds may be a view of a large network buffer; small ones share buffers. */
function createKeeper(): (bytes: Uint8Array) => Uint8Array {
  const bufferOf = createSlabs(SLAB)
  return (bytes) => {
    const kept = bufferOf(bytes.length)
    kept.set(bytes)
    return kept
  }
}

/** One character a byte. */
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
    // One character a byte is in the order of the bytes.
    entries: () => iterate([...values].sort(([a], [b]) => (a < b ? -1 : 1))),
    close: () => Promise.resolve(),
  }
}
