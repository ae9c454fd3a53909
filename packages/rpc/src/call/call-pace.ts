import { type Clock, nextTurn, type Timer } from '@org/runtime'
import type { Precedence } from '../ports/index.ts'

/** Milliseconds of one turn of the event loop in which calls may run; a call that has begun is always finished. */
const SHARE_MS = 1
/** Milliseconds in which calls may run between two pauses of the work that has precedence. */
const BETWEEN_PAUSES_MS = 2
/** The estimated cost of reading a call and writing its answer. */
const READ_AND_WRITE_MS = 0.025
/** Milliseconds without a pause after which calls have their share of each turn again. */
const PATIENCE_MS = 20
/** The number of calls that may wait; any further call runs at once. */
const MAX_WAITING = 4096

/**
 * Shares the event loop between calls and everything else. A decided block needs several turns of the event loop, for
 * the disk and for timers: if all calls since the last turn were answered first, each of these turns would take as long
 * as the calls. The threads that write to disk also need a processor. Therefore, while a block is made, calls run for a
 * short time and then wait for the next block, so that this thread is idle as often as without calls.
 */
export interface Pace {
  /**
   * Runs the work at once if calls have had less than their share of the turn; otherwise later, in the order of the
   * calls.
   */
  readonly run: <T>(work: Work<T>) => T | Promise<T>
  /**
   * Runs the work of a call whose transaction must get into a block: it waits for other turns, but not for a pause, and
   * runs before calls that wait for a pause.
   */
  readonly runForBlock: <T>(work: Work<T>) => T | Promise<T>
  /**
   * Used by a call that takes long. Resolves when calls have their share again and the calls that waited before have
   * run.
   */
  readonly rest: () => Promise<void>
}

/** A call that is answered at once makes no promise: see ARCHITECTURE.md, "A request through the RPC". */
type Work<T> = () => T | Promise<T>

export interface PaceModules {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** The work that has precedence over calls. Absent: no work has precedence. */
  readonly precedence?: Precedence | undefined
  /** Receives each change of the number of waiting calls. */
  readonly onWaiting?: ((change: number) => void) | undefined
}

export function createPace({ clock, precedence, onWaiting }: PaceModules): Pace {
  const forBlock: (() => void)[] = []
  const others: (() => void)[] = []
  /** The time at which calls began to use their share of this turn. */
  let since: number | undefined
  /** The milliseconds that are left for calls before the next pause. */
  let left = BETWEEN_PAUSES_MS
  /** The timer that ends the wait of calls for a pause. It runs only while calls wait. */
  let patience: Timer | undefined

  precedence?.onPause(() => allow(BETWEEN_PAUSES_MS))

  const isOver = (): boolean => since !== undefined && clock.monotonic() - since >= SHARE_MS
  const isHeld = (): boolean => left <= 0 && precedence?.isBusy() === true
  const waiting = (): number => forBlock.length + others.length

  function allow(ms: number): void {
    left = ms
    if (patience === undefined) return
    patience.cancel()
    patience = undefined
    if (since === undefined) begin()
  }

  function charge(from: number): void {
    left -= clock.monotonic() - from + READ_AND_WRITE_MS
  }

  function begin(): void {
    since = clock.monotonic()
    setImmediate(() => void turn())
  }

  async function turn(): Promise<void> {
    since = undefined
    if (forBlock.length === 0) {
      if (others.length === 0) return
      if (isHeld()) {
        patience ??= clock.after(PATIENCE_MS, () => allow(Number.POSITIVE_INFINITY))
        return
      }
    }
    begin()
    do {
      const work = forBlock.shift() ?? (isHeld() ? undefined : others.shift())
      if (work === undefined) return
      const from = clock.monotonic()
      onWaiting?.(-1)
      work()
      // The work that follows the result, up to the write to the socket, also counts as part of the share.
      await Promise.resolve()
      charge(from)
    } while (!isOver())
  }

  /** The slice runs in promises after this call, so its time is counted in advance. */
  function useTurn(): void {
    since = clock.monotonic() - SHARE_MS
    left -= SHARE_MS
  }

  function later<T>(queue: (() => void)[], work: Work<T>): Promise<T> {
    onWaiting?.(1)
    return new Promise((resolve, reject) => {
      queue.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      if (since === undefined) begin()
    })
  }

  function run<T>(work: Work<T>): T | Promise<T> {
    if (waiting() >= MAX_WAITING) return work()
    if (waiting() > 0 || isOver() || isHeld()) return later(others, work)
    if (since === undefined) begin()
    const from = clock.monotonic()
    try {
      return work()
    } finally {
      charge(from)
    }
  }

  return {
    run,
    runForBlock: (work) => {
      if (waiting() >= MAX_WAITING) return work()
      if (forBlock.length > 0 || isOver()) return later(forBlock, work)
      if (since === undefined) begin()
      return work()
    },
    rest: async () => (waiting() >= MAX_WAITING ? nextTurn() : run(useTurn)),
  }
}
