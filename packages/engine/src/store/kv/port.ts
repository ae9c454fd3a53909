/** A write to the database: it stores a value under a key, or deletes the key. */
export type Op =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/**
 * A list of operations that are written together, in order. After a call of `put` or `del`, the batch does not use the
 * passed key and value any more, so the caller may change them.
 */
export interface Batch {
  /**
   * If the key is a text, the UTF-8 bytes of the text are the key. The database makes these bytes faster than the
   * caller could.
   */
  readonly put: (key: Uint8Array | string, value: Uint8Array) => void
  readonly del: (key: Uint8Array) => void
}

/** A key of the database, with its value. */
export type Entry = readonly [key: Uint8Array, value: Uint8Array]

/** A range of keys in byte order. Give at most one of `gt` and `gte`, and at most one of `lt` and `lte`. */
export interface KeyRange {
  readonly gt?: Uint8Array
  readonly gte?: Uint8Array
  readonly lt?: Uint8Array
  readonly lte?: Uint8Array
  readonly reverse?: boolean
  /** The maximum number of entries to return. Default: all. */
  readonly limit?: number
}

/**
 * An ordered map of bytes to bytes. Reads of a single key are synchronous, and all other operations are asynchronous.
 * The caller may keep and change the returned keys and values, but must not change passed keys and values after the
 * call. Every failure is a {@link StoreError}.
 */
export interface KeyValueStore {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  readonly has: (key: Uint8Array) => boolean
  /** Returns the values of many keys without blocking the event loop. */
  readonly getMany: (keys: readonly Uint8Array[]) => Promise<readonly (Uint8Array | undefined)[]>
  /**
   * Writes all operations, in order, or none of them. If there are very many operations, pass a function that adds them
   * to the batch; it is called immediately. With `sync`, the operations are durable when the promise resolves.
   */
  readonly write: (ops: Iterable<Op> | ((batch: Batch) => void), options?: { readonly sync?: boolean }) => Promise<void>
  /** Yields the entries of a range as they were when the iteration began. */
  readonly iterate: (range?: KeyRange) => AsyncIterable<Entry>
  readonly keys: (range?: KeyRange) => AsyncIterable<Uint8Array>
  /**
   * Does the same as `iterate`, but yields many entries at a time. So a scan does not need a turn of the event loop for
   * each entry.
   */
  readonly chunks: (range?: KeyRange) => AsyncIterable<readonly Entry[]>
  /**
   * Yields the keys of a range as texts, many at a time. For scans of very many keys this is cheaper than `keys`. Bytes
   * that are not UTF-8 are lost.
   */
  readonly keyTexts: (range?: KeyRange) => AsyncIterable<readonly string[]>
  /** Does the same as `keyTexts`, but yields keys and values, both as texts. */
  readonly entryTexts: (range?: KeyRange) => AsyncIterable<readonly (readonly [key: string, value: string])[]>
  /** Yields the values of a range as texts, in the order of their keys. */
  readonly valueTexts: (range?: KeyRange) => AsyncIterable<readonly string[]>
  /** Closes the store. `close` may be called again, but no other method may be called afterwards. */
  readonly close: () => Promise<void>
}

/** Returns the operation that writes a value. */
export function put(key: Uint8Array, value: Uint8Array): Op {
  return { type: 'put', key, value }
}

/** Returns the operation that deletes a key. */
export function del(key: Uint8Array): Op {
  return { type: 'del', key }
}

/** Adds all operations of a list to a batch. */
export function addAll(batch: Batch, ops: Iterable<Op>): void {
  for (const op of ops) {
    if (op.type === 'put') batch.put(op.key, op.value)
    else batch.del(op.key)
  }
}

/** Returns the range of all keys that begin with `prefix`. */
export function prefixRange(prefix: Uint8Array): KeyRange {
  let last = prefix.length - 1
  while (last >= 0 && prefix[last] === 0xff) last--
  if (last < 0) return { gte: prefix }
  const end = prefix.slice(0, last + 1)
  end[last] = (end[last] as number) + 1
  return { gte: prefix, lt: end }
}

/** Yields the entries of all lists, one after the other. */
export async function* entriesOf(chunks: AsyncIterable<readonly Entry[]>): AsyncGenerator<Entry> {
  for await (const chunk of chunks) yield* chunk
}
