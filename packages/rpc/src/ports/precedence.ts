/**
 * Work of this process that has precedence over calls, so that calls that only read do not delay the making of a block.
 */
export interface Precedence {
  /** True while work with precedence is in progress. */
  readonly isBusy: () => boolean
  /**
   * Calls `listener` each time when a block has been made, and each time when no work with precedence is left. These
   * are the pauses in which calls may run. After the signal aborts, `listener` is not called.
   */
  readonly onPause: (listener: () => void, signal?: AbortSignal) => void
}
