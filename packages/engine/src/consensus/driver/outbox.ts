/** What makes things durable, and when. */
export interface OutboxModules {
  /** Resolves when all that was written and signed so far is on disk. */
  readonly makeDurable: () => Promise<void>
  /** Runs something soon, after what can go on without waiting. */
  readonly soon: (run: () => void) => void
  /** All is durable and shown. */
  readonly onSettled: () => void
  readonly onError: (error: unknown) => void
}

/**
 * What others may see (events, words to peers) in its order, each held back until everything that came before it is
 * durable. So the machine goes on at once with what this node says, and one sync serves all that it says in a burst.
 */
export interface Outbox {
  /** Something was written that must be durable before what is shown from now on. */
  readonly touch: () => void
  /** Runs at once if all is durable, else when it is. */
  readonly show: (run: () => void) => void
  /** Resolves when all is durable and shown; begins at once. Rejects with what `onError` is told. */
  readonly settle: () => Promise<void>
  readonly isSettled: () => boolean
}

export function createOutbox({ makeDurable, soon, onSettled, onError }: OutboxModules): Outbox {
  const held: (() => void)[] = []
  /** Counts touches; `durable` is the count that a finished sync covers. */
  let touched = 0
  let durable = 0
  let scheduled = false
  let syncing: Promise<void> | undefined
  let failure: unknown

  const isSettled = (): boolean => durable === touched

  async function sync(): Promise<void> {
    const covers = touched
    const shown = held.length
    try {
      await makeDurable()
    } catch (error) {
      failure ??= error
      onError(error)
      throw error
    }
    durable = covers
    // What came during the sync waits for the next one.
    for (const run of held.splice(0, isSettled() ? held.length : shown)) run()
    if (isSettled()) onSettled()
  }

  async function settle(): Promise<void> {
    while (!isSettled()) {
      if (failure !== undefined) throw failure
      syncing ??= sync().finally(() => {
        syncing = undefined
      })
      await syncing
    }
  }

  return {
    touch: () => {
      touched++
      if (scheduled) return
      scheduled = true
      soon(() => {
        scheduled = false
        // Its failure was told.
        settle().catch(() => undefined)
      })
    },
    show: (run) => {
      if (isSettled() && held.length === 0) run()
      else held.push(run)
    },
    settle,
    isSettled,
  }
}
