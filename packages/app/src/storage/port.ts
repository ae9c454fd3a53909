/** One write of a batch: sets the value of a key, or removes the key. */
export type StorageOp =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/** The place where the application keeps its bytes: a key-value store. */
export interface Storage {
  /**
   * The maximum memory in bytes of a snapshot that is restored into this storage. A larger snapshot is refused.
   * Default: no limit.
   */
  readonly maxSnapshotBytes?: number
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  /** Performs all operations. If the write fails, performs none of them. */
  readonly write: (ops: readonly StorageOp[]) => Promise<void>
  /** Removes all pairs from the storage. */
  readonly clear: () => Promise<void>
  readonly close: () => Promise<void>
}
