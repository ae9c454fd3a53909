/** A change of the storage: it stores a value under a key, or deletes the key. */
export type StorageOp =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/** The storage of the application's pairs. */
export interface KeyValueStorage {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  /**
   * Writes all operations or none of them. While the storage is being closed, it writes none. If several operations
   * change one key, the last operation counts.
   */
  readonly write: (ops: readonly StorageOp[]) => Promise<void>
  /**
   * Returns the pairs in ascending order of their keys, beginning at the key `from`. Default: all pairs. Later writes
   * do not change the returned pairs, because the storage keeps the old values in memory until the iteration ends. The
   * caller must request at least one pair: otherwise the iteration can never be ended.
   */
  readonly entries: (from?: Uint8Array) => AsyncIterable<readonly [key: Uint8Array, value: Uint8Array]>
  /** Begins new, empty content. The present content stays until {@link Replacement.commit}. */
  readonly replace: () => Promise<Replacement>
  readonly close: () => Promise<void>
}

/** New content of a storage, which is built beside the present content. */
export interface Replacement {
  /** Rejects with `KVSTORE_TOO_LARGE` if the new content is too large for the storage. */
  readonly write: (ops: readonly StorageOp[]) => Promise<void>
  /** Puts the new content in the place of the present one, in one step, and makes it durable. */
  readonly commit: () => Promise<void>
  /** Removes the new content. Does nothing after `commit`. */
  readonly abandon: () => Promise<void>
}
