/** Work of this process that has precedence over calls: making a block does not wait for calls that read blocks. */
export interface Precedence {
  /** True while such work is in progress. */
  readonly isBusy: () => boolean
  /** Calls `listener` at each pause of this work: when a block is made, and when no work is left, until the signal aborts. */
  readonly onPause: (listener: () => void, signal?: AbortSignal) => void
}
