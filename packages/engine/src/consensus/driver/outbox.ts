/** What makes things durable, and when. */
export interface OutboxModules {
  /** Resolves when all that was written and signed so far is on disk. */
  readonly makeDurable: () => Promise<void>
  /** Runs something soon, after what can go on without waiting. */
  readonly soon: (run: () => void) => void
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
  /** Resolves when all is durable and shown; begins at once. Never rejects: errors go to `onError`. */
  readonly settle: () => Promise<void>
  readonly isSettled: () => boolean
}

export function createOutbox({ makeDurable, soon, onError }: OutboxModules): Outbox {
  const held: (() => void)[] = []
  /** Counts touches; `durable` is the count that a finished sync covers. */
  let touched = 0
  let durable = 0
  let scheduled = false
  let syncing: Promise<void> | undefined

  const isSettled = (): boolean => durable === touched

  async function sync(): Promise<void> {
    const covers = touched
    const shown = held.length
    await makeDurable()
    durable = covers
    // What came during the sync waits for the next one.
    const ready = isSettled() ? held.splice(0) : held.splice(0, shown)
    for (const run of ready) run()
  }

  async function settle(): Promise<void> {
    while (!isSettled()) {
      syncing ??= sync().finally(() => {
        syncing = undefined
      })
      await syncing
    }
  }

  const settleOrFail = async (): Promise<void> => {
    try {
      await settle()
    } catch (error) {
      onError(error)
    }
  }

  return {
    touch: () => {
      touched++
      if (scheduled) return
      scheduled = true
      soon(() => {
        scheduled = false
        void settleOrFail()
      })
    },
    show: (run) => {
      if (isSettled() && held.length === 0) run()
      else held.push(run)
    },
    settle: settleOrFail,
    isSettled,
  }
}
