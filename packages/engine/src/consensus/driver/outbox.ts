/** The functions with which the outbox makes data durable. */
export interface OutboxModules {
  /** Resolves when everything written and signed so far is on disk. */
  readonly makeDurable: () => Promise<void>
  /** Runs a function soon, but after other work that is ready. */
  readonly soon: (run: () => void) => void
  /** Called when everything is durable and shown. */
  readonly onDurable: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Delays what others may see (events, and messages to peers) until everything that came before is durable, in order.
 * So the machine continues at once with this node's own messages, and one sync serves a burst of them.
 */
export interface Outbox {
  /** Records that something was written which must be durable before anything that is shown from now on. */
  readonly touch: () => void
  /** Runs at once if everything is durable, otherwise later: for messages to peers. */
  readonly send: (run: () => void) => void
  /** Runs at once if everything is durable and shown, otherwise later: for events. */
  readonly show: (run: () => void) => void
  /**
   * Does as `show` for the events of a stored block. Its events need not wait for the data of its height that was
   * written before, because the block replaces that data. Messages to peers still wait for it.
   */
  readonly showBlock: (run: () => void) => void
  /** Holds back everything that is shown from now on until `work` is done. A failure goes to `onError`. */
  readonly holdUntil: (work: Promise<void>) => void
  /**
   * Resolves when everything touched so far is durable; begins at once. Rejects with the error given to `onError`.
   */
  readonly makeDurable: () => Promise<void>
  /** Returns true if everything is durable. */
  readonly isDurable: () => boolean
  /** The number of entries that wait to be shown. */
  readonly size: () => number
}

interface Entry {
  /** The number of touches that must be durable before this entry. */
  readonly needs: number
  readonly run: () => void
}

/**
 * An entry for events. It need not wait for the earlier touches if the block of its height is stored. An entry that is
 * not ready holds back later entries.
 */
interface Held extends Entry {
  isReady: boolean
}

export function createOutbox({ makeDurable, soon, onDurable, onError }: OutboxModules): Outbox {
  const entries: Entry[] = []
  const held: Held[] = []
  /** The number of touches; `durable` is the number that a finished sync covers. */
  let touched = 0
  let durable = 0
  /** The number of touches that need no sync, because a block that was stored later contains what they wrote. */
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
        // The failure was reported to `onError`.
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
    // The wait covers only what was touched before this call. If it covered later touches too, it might never end, and
    // each height would add a caller that waits.
    makeDurable: () => syncUpTo(touched),
    isDurable,
    size: () => held.length + entries.length,
  }
}
