/**
 * The work of this process that has precedence over RPC calls: the making of a block. Calls that only read must not
 * delay this work.
 */
export interface PriorityWork {
  /** True while work with precedence is in progress. */
  readonly isBusy: () => boolean
  /**
   * Calls `listener` at the beginning of each pause: when a block has been made, and when no work with precedence is
   * left. RPC calls may run in the pause. After the signal aborts, `listener` is not called.
   */
  readonly onPause: (listener: () => void, signal?: AbortSignal) => void
}
