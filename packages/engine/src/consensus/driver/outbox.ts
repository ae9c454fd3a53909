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
 * What others may see (events; words to peers) in its order, each held back until everything that came before it is
 * durable. So the machine goes on at once with what this node says, and one sync serves all that it says in a burst.
 */
export interface Outbox {
  /** Something was written that must be durable before what is shown from now on. */
  readonly touch: () => void
  /** Runs at once if all is durable, else when it is: for words to peers. */
  readonly tell: (run: () => void) => void
  /** Runs at once if all is durable and shown, else when it is: for events. */
  readonly show: (run: () => void) => void
  /**
   * As `show`, for the events of a block that is on disk: it stands for all that was touched until now, so they do not wait for what was
   * signed in its height. Words to peers do. What is shown from now on waits until `rest` is done, too.
   */
  readonly showBlock: (run: () => void, rest: Promise<void>) => void
  /**
   * Resolves when the `rest` that `showBlock` was given last is done, and what was touched before it was called the time before is durable:
   * no more than that is ever behind. Rejects with what `onError` is told.
   */
  readonly caughtUp: () => Promise<void>
  /** Resolves when all that was touched so far is durable; begins at once. Rejects with what `onError` is told. */
  readonly settle: () => Promise<void>
  /** All is durable. */
  readonly isSettled: () => boolean
  /** What waits to be shown. */
  readonly size: () => number
}

interface Word {
  /** How many touches must be durable before it. */
  readonly needs: number
  readonly run: () => void
}

/** Touches may be stood for, too. What is not ready holds back what comes after it. */
interface Held extends Word {
  isReady: boolean
}

export function createOutbox({ makeDurable, soon, onSettled, onError }: OutboxModules): Outbox {
  const words: Word[] = []
  const held: Held[] = []
  /** Counts touches; `durable` is the count that a finished sync covers. */
  let touched = 0
  let durable = 0
  /** The count of those that a block on disk stands for. */
  let stoodFor = 0
  let scheduled = false
  let syncing: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined
  let caughtUp: Promise<void> = Promise.resolve()
  /** The count when `showBlock` was called last. */
  let touchedBefore = 0
  let giveUp: (error: unknown) => void = () => undefined

  const isSettled = (): boolean => durable === touched

  function fail(error: unknown): void {
    failure ??= { error }
    giveUp(error)
    onError(error)
  }

  function release(): void {
    while (failure === undefined && words[0] !== undefined && words[0].needs <= durable) words.shift()?.run()
    while (failure === undefined) {
      const next = held[0]
      if (next === undefined || !next.isReady || next.needs > Math.max(durable, stoodFor)) return
      held.shift()
      next.run()
    }
  }

  async function sync(): Promise<void> {
    const covers = touched
    try {
      await makeDurable()
    } catch (error) {
      fail(error)
      throw error
    }
    durable = covers
    release()
    if (isSettled()) onSettled()
  }

  async function settleUpTo(wanted: number): Promise<void> {
    while (durable < wanted) {
      if (failure !== undefined) throw failure.error
      syncing ??= sync().finally(() => {
        syncing = undefined
      })
      await syncing
    }
  }

  function hold(run: () => void, isReady: boolean): Held {
    const item = { needs: touched, isReady, run }
    held.push(item)
    release()
    return item
  }

  return {
    touch: () => {
      touched++
      if (scheduled) return
      scheduled = true
      soon(() => {
        scheduled = false
        // Its failure was told.
        settleUpTo(touched).catch(() => undefined)
      })
    },
    tell: (run) => {
      if (isSettled() && failure === undefined) run()
      else words.push({ needs: touched, run })
    },
    show: (run) => {
      if (isSettled() && held.length === 0 && failure === undefined) run()
      else hold(run, true)
    },
    showBlock: (run, rest) => {
      const ended = Promise.withResolvers<void>()
      giveUp = ended.reject
      const wanted = touchedBefore
      touchedBefore = touched
      caughtUp = ended.promise.then(() => settleUpTo(wanted))
      // Whoever waits hears of a failure.
      caughtUp.catch(() => undefined)
      stoodFor = touched
      hold(run, true)
      const mark = hold(ended.resolve, false)
      if (failure !== undefined) ended.reject(failure.error)
      rest.then(() => {
        mark.isReady = true
        release()
      }, fail)
    },
    caughtUp: () => caughtUp,
    // Not what is written from now on: there may always be something, and those who wait would become more with every height.
    settle: () => settleUpTo(touched),
    isSettled,
    size: () => held.length + words.length,
  }
}
