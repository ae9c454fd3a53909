/** The functions that the outbox calls. */
export interface OutboxModules {
  /** Resolves when everything written and signed so far is on disk. */
  readonly makeDurable: () => Promise<void>
  /** Runs a function soon, but after other work that is ready. */
  readonly soon: (run: () => void) => void
  /**
   * Called after a sync if everything for which `touch` was called is durable. At this point, the outbox has sent all
   * messages that waited for the sync.
   */
  readonly onDurable: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Holds events, and messages to peers, until all data that were written before them are durable. Events keep their
 * order among events, and messages among messages. Because of the outbox, the machine need not wait for the disk, and
 * many messages in a short time need only one sync.
 */
export interface Outbox {
  /**
   * Records that data was written or signed. Messages and events that are passed to the outbox after this call leave it
   * only when these data are durable.
   */
  readonly touch: () => void
  /** Runs `run`, which sends a message to peers: at once if everything is durable, otherwise later. */
  readonly send: (run: () => void) => void
  /**
   * Runs `run`, which publishes an event: at once if everything is durable and no earlier event waits, otherwise later.
   */
  readonly show: (run: () => void) => void
  /**
   * Does the same as `show`, for an event of a stored block. The event need not wait until the earlier data of the
   * height are durable: after a crash, the stored block replaces these data. Messages to peers still wait for these
   * data.
   */
  readonly showBlock: (run: () => void) => void
  /**
   * Holds back all events that are passed to the outbox from now on, until `work` is done. A failure of `work` goes to
   * `onError`.
   */
  readonly holdUntil: (work: Promise<void>) => void
  /**
   * Makes everything durable for which `touch` was called so far, and resolves when this is done. Rejects with the
   * error given to `onError`.
   */
  readonly makeDurable: () => Promise<void>
  /** Returns true if everything for which `touch` was called is durable. */
  readonly isDurable: () => boolean
  /** The number of messages and events that wait in the outbox. */
  readonly size: () => number
}

interface Entry {
  /** The number of calls of `touch` whose data must be durable before this entry runs. */
  readonly needs: number
  readonly run: () => void
}

/**
 * An entry of the queue of events. It is an event to publish, or a barrier that `holdUntil` adds. A barrier holds back
 * all later entries until its work is done. `showBlock` may make earlier data unnecessary; then no entry waits for
 * these data.
 */
interface Held extends Entry {
  isReady: boolean
}

/**
 * Creates an empty outbox. The function is long because messages, events and callers of `makeDurable` all wait for the
 * same counter, `durable`.
 */
export function createOutbox({ makeDurable, soon, onDurable, onError }: OutboxModules): Outbox {
  const entries: Entry[] = []
  const held: Held[] = []
  /**
   * The number of calls of `touch`. `durable` is the number of these calls whose data a finished sync has made durable.
   */
  let touched = 0
  let durable = 0
  /**
   * The number of calls of `touch` before the last call of `showBlock`. A stored block replaces the data of these
   * calls, so events need not wait for the data.
   */
  let replaced = 0
  let scheduled = false
  let syncing: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  const isDurable = (): boolean => durable === touched

  function fail(error: unknown): void {
    failure ??= { error }
    onError(error)
  }

  function release(): void {
    while (failure === undefined && entries[0] !== undefined && entries[0].needs <= durable) entries.shift()?.run()
    while (failure === undefined) {
      const next = held[0]
      if (next === undefined || !next.isReady || next.needs > Math.max(durable, replaced)) return
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
    if (isDurable()) onDurable()
  }

  async function syncUpTo(wanted: number): Promise<void> {
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
        // The error is ignored, because `onError` has received it already.
        syncUpTo(touched).catch(() => undefined)
      })
    },
    send: (run) => {
      if (isDurable() && failure === undefined) run()
      else entries.push({ needs: touched, run })
    },
    show: (run) => {
      if (isDurable() && held.length === 0 && failure === undefined) run()
      else hold(run, true)
    },
    showBlock: (run) => {
      replaced = touched
      hold(run, true)
    },
    holdUntil: (work) => {
      const mark = hold(() => undefined, false)
      work.then(() => {
        mark.isReady = true
        release()
      }, fail)
    },
    // The caller waits only for the calls of `touch` before this call. On a busy chain, new calls of `touch` come all
    // the time, so a wait for later calls might never end.
    makeDurable: () => syncUpTo(touched),
    isDurable,
    size: () => held.length + entries.length,
  }
}
