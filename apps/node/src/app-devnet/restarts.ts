import { type Clock, createLane, type Lane } from '@org/runtime'

/**
 * The pause after the first failure of a node whose application is another process. After the pause, the node starts
 * again. Each further pause is twice as long as the one before.
 */
const FIRST_RETRY_MS = 500
/** The longest pause before a node starts again. */
const MAX_RETRY_MS = 8_000

/** The restarts of a node, one after the other. */
export interface Restarts {
  /**
   * Adds a restart, unless a restart already waits for its turn. The waiting restart begins a new chain if at least one
   * of the calls had a true `isNewChain`.
   */
  readonly restart: (isNewChain: boolean) => void
  /** Adds a restart after a pause, because of a failure. Each further failure makes the pause longer. */
  readonly restartLater: () => void
  /** Makes the next pause as short as the first one. To be called when a start has succeeded. */
  readonly forgetFailures: () => void
  /** Runs a task while no restart is in progress. A later restart begins after the end of the task. */
  readonly lane: Lane
}

export interface RestartsModules {
  readonly clock: Clock
  /** After this signal has aborted, no further restart begins. */
  readonly signal: AbortSignal
}

/** `run` restarts the node. It must not reject. */
export function createRestarts(
  run: (isNewChain: boolean) => Promise<void>,
  { clock, signal }: RestartsModules,
): Restarts {
  const lane = createLane()
  let waiting: { isNewChain: boolean } | undefined
  let retryMs = FIRST_RETRY_MS

  function restart(isNewChain: boolean): void {
    if (waiting !== undefined) {
      waiting.isNewChain ||= isNewChain
      return
    }
    const wish = { isNewChain }
    waiting = wish
    void lane(async () => {
      waiting = undefined
      if (!signal.aborted) await run(wish.isNewChain)
    })
  }

  return {
    restart,
    restartLater: () => {
      clock.sleep(retryMs, signal).then(
        () => restart(false),
        () => undefined,
      )
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)
    },
    forgetFailures: () => {
      retryMs = FIRST_RETRY_MS
    },
    lane,
  }
}
