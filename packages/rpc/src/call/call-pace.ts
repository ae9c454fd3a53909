import { type Clock, nextTurn, type Timer } from '@org/runtime'
import type { PriorityWork } from '../ports/index.ts'

/** The time for calls in each turn of the event loop, in milliseconds. A call that has begun is always finished. */
const SHARE_MS = 1
/**
 * The time, in milliseconds, that calls get from one pause in the making of a block to the next pause. The making of a
 * block has precedence over calls, and pauses when a block has been made. When the calls have used up their time, they
 * wait for the next pause.
 */
const BETWEEN_PAUSES_MS = 2
/** The estimated time to read a call and write its answer, in milliseconds. */
const READ_AND_WRITE_MS = 0.025
/**
 * The maximum time, in milliseconds, for which calls wait for a pause in the making of a block. If no pause comes in
 * this time, calls run again in each turn of the event loop.
 */
const MAX_WAIT_MS = 20
/** The maximum number of waiting calls. Above it, a new call runs at once, so that the queues do not grow further. */
const MAX_WAITING = 4096

/**
 * Shares the event loop between RPC calls and all other work. To make a block, the node needs several turns of the
 * event loop, for the disk and for timers. If each turn first answered all calls that arrived since the last turn, the
 * block would be late. The threads that write to disk also need a processor. Therefore calls run only for a short time
 * while a block is made. The other calls wait until the block is finished.
 */
export interface Pace {
  /**
   * Runs the work at once if no other call waits and calls have time left. The time for calls is limited in each turn
   * of the event loop, and between two pauses in the making of a block. If the work does not run at once, it waits
   * until all calls that came before it have run.
   */
  readonly run: <T>(work: Work<T>) => T | Promise<T>
  /**
   * Runs the work of a call whose transaction must get into a block. Such a call may wait for a later turn of the event
   * loop. Unlike other calls, it does not wait for a pause in the making of a block, and it runs before the calls that
   * wait for a pause.
   */
  readonly runForBlock: <T>(work: Work<T>) => T | Promise<T>
  /**
   * Lets other work run between the slices of a long call. Resolves when all calls that already waited have run and
   * calls have time left (see {@link Pace.run}).
   */
  readonly pause: () => Promise<void>
}

/**
 * The work of a call. If the answer is ready at once, the work returns it without a `Promise`, because a `Promise`
 * costs time: see ARCHITECTURE.md, "A request through the RPC".
 */
type Work<T> = () => T | Promise<T>

export interface PaceModules {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** The work that has precedence over calls. Absent: no work has precedence. */
  readonly precedence?: PriorityWork | undefined
  /** Receives each change of the number of waiting calls. */
  readonly onWaiting?: ((change: number) => void) | undefined
}

/**
 * Creates the `Pace` of one node. The function is long because its two queues share one time limit: each call changes
 * the time that is left for all other calls.
 */
export function createPace({ clock, precedence, onWaiting }: PaceModules): Pace {
  const forBlock: (() => void)[] = []
  const others: (() => void)[] = []
  /** The time at which the first call of this turn of the event loop began. */
  let since: number | undefined
  /**
   * The time, in milliseconds, that calls may still take before the node pauses the making of a block. When this time
   * is used up, further calls wait until the pause begins, and then run.
   */
  let remainingMs = BETWEEN_PAUSES_MS
  /**
   * A timer that runs only while calls wait for a pause in the making of a block. If no pause comes before the timer
   * ends, the calls run.
   */
  let waitTimer: Timer | undefined

  precedence?.onPause(() => allow(BETWEEN_PAUSES_MS))

  const isOver = (): boolean => since !== undefined && clock.monotonic() - since >= SHARE_MS
  const isHeld = (): boolean => remainingMs <= 0 && precedence?.isBusy() === true
  const waiting = (): number => forBlock.length + others.length

  function allow(ms: number): void {
    remainingMs = ms
    if (waitTimer === undefined) return
    waitTimer.cancel()
    waitTimer = undefined
    if (since === undefined) begin()
  }

  function charge(from: number): void {
    remainingMs -= clock.monotonic() - from + READ_AND_WRITE_MS
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
        waitTimer ??= clock.after(MAX_WAIT_MS, () => allow(Number.POSITIVE_INFINITY))
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
      // The next microtask writes the result of `work` to the socket. `charge` runs after that microtask, so that the
      // time for writing is also subtracted from the time of the calls.
      await Promise.resolve()
      charge(from)
    } while (!isOver())
  }

  /**
   * Subtracts the time of one slice of a long call from the time that calls have left. The slice runs only after this
   * function returns. So its real time cannot be measured here, and {@link SHARE_MS} is subtracted.
   */
  function useTurn(): void {
    since = clock.monotonic() - SHARE_MS
    remainingMs -= SHARE_MS
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
    pause: async () => (waiting() >= MAX_WAITING ? nextTurn() : run(useTurn)),
  }
}
