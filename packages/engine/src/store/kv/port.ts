export type Op =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/** Collects operations that are written together, in order. A batch keeps no reference to its arguments. */
export interface Batch {
  /** A text key means its UTF-8 bytes; a text is cheaper than making the bytes first. */
  readonly put: (key: Uint8Array | string, value: Uint8Array) => void
  readonly del: (key: Uint8Array) => void
}

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
 * An ordered map of bytes. Point reads are synchronous, everything else is asynchronous. Returned keys and values
 * belong to the caller; given keys and values must not be changed afterwards. Every failure is a {@link StoreError}.
 */
export interface KeyValueStore {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  readonly has: (key: Uint8Array) => boolean
  /** Returns the values of many keys without blocking the event loop. */
  readonly getMany: (keys: readonly Uint8Array[]) => Promise<readonly (Uint8Array | undefined)[]>
  /**
   * Writes all operations or none, in order. For very many operations give a function that fills the batch; it is
   * called at once. With `sync` the operations are on the disk when the promise resolves.
   */
  readonly write: (ops: Iterable<Op> | ((batch: Batch) => void), options?: { readonly sync?: boolean }) => Promise<void>
  /** The entries of a range as they were when the iteration began. */
  readonly iterate: (range?: KeyRange) => AsyncIterable<Entry>
  readonly keys: (range?: KeyRange) => AsyncIterable<Uint8Array>
  /**
   * Does as `iterate`, with many entries at a time: a scan should not pay a turn of the event loop for each entry.
   */
  readonly chunks: (range?: KeyRange) => AsyncIterable<readonly Entry[]>
  /**
   * Returns the keys of a range as text, many at a time: cheaper for scans of very many keys. Bytes that are not
   * UTF-8 are lost.
   */
  readonly keyTexts: (range?: KeyRange) => AsyncIterable<readonly string[]>
  /** Does as `keyTexts`, with the values as text too. */
  readonly entryTexts: (range?: KeyRange) => AsyncIterable<readonly (readonly [key: string, value: string])[]>
  /** The values of a range as text, in the order of the keys. */
  readonly valueTexts: (range?: KeyRange) => AsyncIterable<readonly string[]>
  /** Closes the store. It may be called again; nothing else may be called afterwards. */
  readonly close: () => Promise<void>
}

export function put(key: Uint8Array, value: Uint8Array): Op {
  return { type: 'put', key, value }
}

export function del(key: Uint8Array): Op {
  return { type: 'del', key }
}

/** Puts a list of operations into a batch. */
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
