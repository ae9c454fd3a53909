/** The options of a backfill. Times are in milliseconds. */
export interface BackfillOptions {
  /** The maximum number of requests that are in progress at once, for all servers together. */
  readonly requestsAtOnce: number
  /** The maximum number of heights that are written together. */
  readonly batchHeights: number
  /**
   * A batch is written as soon as its commits together have this number of signatures. This limits the memory that a
   * batch takes.
   */
  readonly batchSignatures: number
  /** The pause after each batch, so that the backfill does not delay the node. */
  readonly pauseMs: number
  /** The pause after each batch while the node still fetches blocks. */
  readonly catchUpPauseMs: number
  /** The time for which a server is not asked after its first failure. Each further failure doubles the time. */
  readonly restMs: number
  readonly maxRestMs: number
  /** The time between two log lines about the progress. */
  readonly progressMs: number
  /** The time between two removals of headers that no evidence can concern any more. */
  readonly removeEveryMs: number
}

export const DEFAULT_BACKFILL_OPTIONS: BackfillOptions = {
  requestsAtOnce: 4,
  batchHeights: 64,
  batchSignatures: 10_000,
  pauseMs: 50,
  catchUpPauseMs: 250,
  restMs: 10_000,
  maxRestMs: 300_000,
  progressMs: 60_000,
  removeEveryMs: 600_000,
}
