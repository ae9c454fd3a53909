/** The functions that the outbox calls. */
export interface OutboxModules {
  /** Resolves when everything written and signed so far is on disk. */
  readonly makeDurable: () => Promise<void>
  /** Runs a function soon, but after other work that is ready. */
  readonly soon: (run: () => void) => void
  /**
   * Called after a sync if everything for which `markDirty` was called is durable. At this point, the outbox has sent
   * all messages that waited for the sync.
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
  readonly markDirty: () => void
  /** Runs `run`, which sends a message to peers: at once if everything is durable, otherwise later. */
  readonly send: (run: () => void) => void
  /**
   * Runs `run`, which publishes an event: at once if everything is durable and no earlier event waits, otherwise later.
   */
  readonly publish: (run: () => void) => void
  /**
   * Does the same as `publish`, for an event of a stored block. The event need not wait until the earlier data of the
   * height are durable: after a crash, the stored block replaces these data. Messages to peers still wait for these
   * data.
   */
  readonly publishBlock: (run: () => void) => void
  /**
   * Holds back all events that are passed to the outbox from now on, until `work` is done. A failure of `work` goes to
   * `onError`.
   */
  readonly holdEventsUntil: (work: Promise<void>) => void
  /**
   * Makes everything durable for which `markDirty` was called so far, and resolves when this is done. Rejects with the
   * error given to `onError`.
   */
  readonly makeDurable: () => Promise<void>
  /** Returns true if everything for which `markDirty` was called is durable. */
  readonly isDurable: () => boolean
  /** The number of messages and events that wait in the outbox. */
  readonly size: () => number
}

interface Entry {
  /** The number of calls of `markDirty` whose data must be durable before this entry runs. */
  readonly needs: number
  readonly run: () => void
}

/**
 * An entry of the queue of events: an event to publish, or a barrier that `holdEventsUntil` adds. A barrier holds back
 * all later entries until its work is done. Each entry also waits until all data that were written or signed before it
 * are durable. This wait ends early if `publishBlock` is called for a stored block: after a crash, the node uses the
 * stored block and no longer needs these data.
 */
interface HeldEvent extends Entry {
  isReady: boolean
}

/**
 * Creates an empty outbox. The function is long because messages, events and callers of `makeDurable` all wait for the
 * same counter, `durable`.
 */
export function createOutbox({ makeDurable, soon, onDurable, onError }: OutboxModules): Outbox {
  const heldMessages: Entry[] = []
  const heldEvents: HeldEvent[] = []
  /**
   * `marked` is the number of calls of `markDirty`. Each call reports that data was written or signed. `durable` is the
   * number of calls whose data is on disk, because a sync has finished after the call.
   */
  let marked = 0
  let durable = 0
  /**
   * The number of calls of `markDirty` before the last call of `publishBlock`. After a crash, the node uses the stored
   * block, and does not need the data that these calls reported. So events need not wait until these data are durable.
   */
  let replaced = 0
  let scheduled = false
  let syncing: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  const isDurable = (): boolean => durable === marked

  function fail(error: unknown): void {
    failure ??= { error }
    onError(error)
  }

  function release(): void {
    while (failure === undefined && heldMessages[0] !== undefined && heldMessages[0].needs <= durable)
      heldMessages.shift()?.run()
    while (failure === undefined) {
      const next = heldEvents[0]
      if (next === undefined || !next.isReady || next.needs > Math.max(durable, replaced)) return
      heldEvents.shift()
      next.run()
    }
  }

  async function sync(): Promise<void> {
    const covers = marked
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

  function holdEvent(run: () => void, isReady: boolean): HeldEvent {
    const item = { needs: marked, isReady, run }
    heldEvents.push(item)
    release()
    return item
  }

  return {
    markDirty: () => {
      marked++
      if (scheduled) return
      scheduled = true
      soon(() => {
        scheduled = false
        // The error is ignored, because `onError` has received it already.
        syncUpTo(marked).catch(() => undefined)
      })
    },
    send: (run) => {
      if (isDurable() && failure === undefined) run()
      else heldMessages.push({ needs: marked, run })
    },
    publish: (run) => {
      if (isDurable() && heldEvents.length === 0 && failure === undefined) run()
      else holdEvent(run, true)
    },
    publishBlock: (run) => {
      replaced = marked
      holdEvent(run, true)
    },
    holdEventsUntil: (work) => {
      const mark = holdEvent(() => undefined, false)
      work.then(() => {
        mark.isReady = true
        release()
      }, fail)
    },
    // `makeDurable` waits only for the data of the earlier calls of `markDirty`. On a busy chain, new calls of
    // `markDirty` come all the time, so a wait for the data of later calls might never end.
    makeDurable: () => syncUpTo(marked),
    isDurable,
    size: () => heldEvents.length + heldMessages.length,
  }
}
