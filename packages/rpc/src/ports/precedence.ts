/** Work of this process that goes before calls: a chain that makes blocks does not wait for those who ask about it. */
export interface Precedence {
  /** Some of it is under way. */
  readonly isBusy: () => boolean
  /** Calls `listener` at each pause of it: when a block is made, and when nothing is under way any more. */
  readonly onPause: (listener: () => void) => void
}
