import { nextTurn } from '@org/runtime'
import { createSlabs } from '@org/types/bytes'
import { EMPTY_BYTES } from '@org/types/schema'
import { KVSTORE_ERRORS, KvStoreError } from '../errors.ts'
import { sortInTurns } from './sort-in-turns.ts'
import type { KeyValueStorage, Replacement, StorageOp } from './storage.ts'

type Entry = readonly [key: Uint8Array, value: Uint8Array]

/**
 * The size of a buffer that values share. It is small, because a buffer stays in memory as long as one of its values is
 * in use.
 */
const SLAB = 4096
/** The number of keys that are listed in one turn of the event loop. */
const SLICE = 4096
/** The approximate bytes of memory that a pair takes in addition to its own bytes. */
const PAIR_BYTES = 128
/** The default maximum size, in bytes, of the content that `replace` accepts. */
const MAX_REPLACEMENT_BYTES = 512 * 1024 * 1024

/**
 * Returns a function that copies bytes. Without a copy, a stored value could keep a large network buffer in memory,
 * because the caller's bytes may be a view of such a buffer. Small copies share buffers.
 */
function createKeeper(): (bytes: Uint8Array) => Uint8Array {
  const bufferOf = createSlabs(SLAB)
  return (bytes) => {
    const kept = bufferOf(bytes.length)
    kept.set(bytes)
    return kept
  }
}

/** Returns the bytes as a text with one character per byte. Such texts sort in the order of the bytes. */
const textOf = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

/**
 * The pairs of the storage. An iteration returns the pairs as they were when the iteration began. So `readers` has one
 * map for each iteration in progress: the former values of the keys that have changed since the iteration began.
 */
interface Content {
  readonly values: Map<string, Uint8Array>
  readonly readers: Set<Map<string, Uint8Array | undefined>>
  readonly keep: (bytes: Uint8Array) => Uint8Array
}

const emptyContent = (): Content => ({ values: new Map(), readers: new Set(), keep: createKeeper() })

function apply({ values, readers, keep }: Content, op: StorageOp): void {
  const key = textOf(op.key)
  for (const before of readers) if (!before.has(key)) before.set(key, values.get(key))
  if (op.type === 'put') values.set(key, keep(op.value))
  else values.delete(key)
}

/**
 * Returns the keys that existed when an iteration began, in ascending order, without the keys below `from`. `before`
 * has each key that has changed since the iteration began, with its former value.
 */
async function keysAtBeginning(
  { values }: Content,
  before: ReadonlyMap<string, unknown>,
  from: string,
): Promise<string[]> {
  const keys: string[] = []
  let visited = 0
  // The first loop lists the unchanged keys, which are not in `before`. The second loop lists the changed keys, which
  // are in `before` with their former values. A key that was added after the iteration began must not be listed. The
  // function `apply` has put the added key into `before` with the value `undefined`. The first loop skips the key,
  // because `before` has it. The second loop skips the key, because its former value is `undefined`.
  for (const key of values.keys()) {
    if (key >= from && !before.has(key)) keys.push(key)
    if (++visited % SLICE === 0) await nextTurn()
  }
  for (const [key, value] of before) if (key >= from && value !== undefined) keys.push(key)
  return sortInTurns(keys)
}

async function* read(
  content: Content,
  before: Map<string, Uint8Array | undefined>,
  from: string,
): AsyncGenerator<Entry> {
  try {
    let last: string | undefined
    for (const key of await keysAtBeginning(content, before, from)) {
      // The list can contain a key twice. This happens if the first loop of `keysAtBeginning` lists the key, then the
      // key changes, and then the second loop lists the key again. The second occurrence of the key is skipped.
      const value = before.has(key) ? before.get(key) : content.values.get(key)
      if (key !== last && value !== undefined) yield [bytesOf(key), value]
      last = key
    }
  } finally {
    content.readers.delete(before)
  }
}

/**
 * `maxReplacementBytes` is the maximum size of the content that `replace` accepts. Each pair counts 128 bytes more than
 * its key and value.
 */
export function createMemoryStorage({ maxReplacementBytes = MAX_REPLACEMENT_BYTES } = {}): KeyValueStorage {
  let content = emptyContent()

  function replace(): Replacement {
    let next = emptyContent()
    let bytes = 0
    return {
      write: (ops) => {
        for (const op of ops) {
          bytes += op.key.length + (op.type === 'put' ? op.value.length : 0) + PAIR_BYTES
          if (bytes > maxReplacementBytes) {
            const message = `a state in memory can be restored from at most ${maxReplacementBytes} bytes of a snapshot: start with --home, or use persistent_kvstore`
            return Promise.reject(new KvStoreError(KVSTORE_ERRORS.tooLarge, message, { data: { maxReplacementBytes } }))
          }
          apply(next, op)
        }
        return Promise.resolve()
      },
      commit: () => {
        content = next
        return Promise.resolve()
      },
      abandon: () => {
        next = emptyContent()
        return Promise.resolve()
      },
    }
  }

  return {
    get: (key) => content.values.get(textOf(key)),
    write: (ops) => {
      for (const op of ops) apply(content, op)
      return Promise.resolve()
    },
    entries: (from = EMPTY_BYTES) => {
      const before = new Map<string, Uint8Array | undefined>()
      content.readers.add(before)
      return read(content, before, textOf(from))
    },
    replace: () => Promise.resolve(replace()),
    close: () => Promise.resolve(),
  }
}
