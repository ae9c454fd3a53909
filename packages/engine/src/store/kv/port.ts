export type Op =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/** Takes what is written together, in order, and keeps nothing of what it is given. */
export interface Batch {
  /** A key given as text stands for its UTF-8: cheaper than making the bytes first. */
  readonly put: (key: Uint8Array | string, value: Uint8Array) => void
  readonly del: (key: Uint8Array) => void
}

export type Entry = readonly [key: Uint8Array, value: Uint8Array]

/** A range of keys in byte order. Of `gt` and `gte` only one may be given, and of `lt` and `lte`. */
export interface KeyRange {
  readonly gt?: Uint8Array
  readonly gte?: Uint8Array
  readonly lt?: Uint8Array
  readonly lte?: Uint8Array
  readonly reverse?: boolean
  /** At most so many entries. Default: all. */
  readonly limit?: number
}

/**
 * An ordered map of bytes. Point reads are synchronous, everything else is not. Values and keys that are returned belong to
 * the caller; those that are given must not be changed afterwards. Every failure is a {@link StoreError}.
 */
export interface KeyValueStore {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  readonly has: (key: Uint8Array) => boolean
  /** The values of many keys, read without holding the event loop. */
  readonly getMany: (keys: readonly Uint8Array[]) => Promise<readonly (Uint8Array | undefined)[]>
  /**
   * All operations or none, in order; very many are best put into the batch by a function, which is called at once. With
   * `sync` they are on the disk when the promise resolves.
   */
  readonly write: (ops: Iterable<Op> | ((batch: Batch) => void), options?: { readonly sync?: boolean }) => Promise<void>
  /** The entries of a range as they were when the iteration began. */
  readonly iterate: (range?: KeyRange) => AsyncIterable<Entry>
  readonly keys: (range?: KeyRange) => AsyncIterable<Uint8Array>
  /** As `iterate`, many entries at a time: for scans, which should not pay a turn of the event loop for each entry. */
  readonly chunks: (range?: KeyRange) => AsyncIterable<readonly Entry[]>
  /**
   * The keys of a range as text, many at a time: for scans of very many keys, which are cheaper so. Bytes that are not UTF-8
   * are lost.
   */
  readonly keyTexts: (range?: KeyRange) => AsyncIterable<readonly string[]>
  /** As `keyTexts`, with the values as text too. */
  readonly entryTexts: (range?: KeyRange) => AsyncIterable<readonly (readonly [key: string, value: string])[]>
  /** The values of a range as text, in the order of the keys. */
  readonly valueTexts: (range?: KeyRange) => AsyncIterable<readonly string[]>
  /** May be called again. Nothing else may be called afterwards. */
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

/** All keys that begin with `prefix`. */
export function prefixRange(prefix: Uint8Array): KeyRange {
  let last = prefix.length - 1
  while (last >= 0 && prefix[last] === 0xff) last--
  if (last < 0) return { gte: prefix }
  const end = prefix.slice(0, last + 1)
  end[last] = (end[last] as number) + 1
  return { gte: prefix, lt: end }
}
