export type StorageOp =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

/** The storage of the application's pairs. */
export interface KeyValueStorage {
  readonly get: (key: Uint8Array) => Uint8Array | undefined
  /**
   * Writes all operations or none; none while it is being closed. If a key is changed several times, the last change
   * counts.
   */
  readonly write: (ops: readonly StorageOp[]) => Promise<void>
  /** All pairs by ascending key, as they are at the call. */
  readonly entries: () => AsyncIterable<readonly [key: Uint8Array, value: Uint8Array]>
  readonly close: () => Promise<void>
}
