/**
 * The work of this process that has precedence over RPC calls: the making of a block. Calls that only read must not
 * delay this work.
 */
export interface PriorityWork {
  /** True while the process works on a block. This work has precedence over RPC calls. */
  readonly isBusy: () => boolean
  /**
   * Calls `listener` at the beginning of each pause, because RPC calls may run in a pause. A pause begins when a block
   * has been made. A pause also begins each time when no work for a block is left. After `signal` aborts, `listener` is
   * not called.
   */
  readonly onPause: (listener: () => void, signal?: AbortSignal) => void
}
