import { type Clock, nextTurn, type Timer } from '@org/runtime'
import type { Precedence } from '../ports/index.ts'

/** Milliseconds of one turn of the event loop that calls may take; the one at work then is finished. */
const SHARE_MS = 1
/** Milliseconds that they may take between two pauses, while what goes before them is under way. */
const BETWEEN_PAUSES_MS = 2
/** What it costs to read a call and to write its answer, beside the call itself. */
const READ_AND_WRITE_MS = 0.025
/** Milliseconds without a pause after which they have their share of each turn again. */
const PATIENCE_MS = 20
/** Calls that may wait; those beyond run at once. */
const MAX_WAITING = 4096

/**
 * Shares the event loop between calls and everything else. A decided block needs several turns of the loop one after the
 * other, for the disk and for timers: were all calls answered that came since the last turn, each would take as long as they.
 * And the threads that write to disk need a processor: while a block is made, calls have a little time and then wait for
 * the next one, so that this thread rests as often as it would without them.
 */
export interface Pace {
  /** Does the work at once if calls have had less than their share, else later, in the order of coming. */
  readonly run: <T>(work: Work<T>) => T | Promise<T>
  /** The same for what is to be in a block: it waits for other turns, but not for a pause, and goes before what does. */
  readonly runForBlock: <T>(work: Work<T>) => T | Promise<T>
  /** For a call that takes long: resolves when calls have their share again, and those that wait had theirs. */
  readonly rest: () => Promise<void>
}

type Work<T> = () => T | Promise<T>

export interface PaceModules {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** Absent: nothing goes before calls. */
  readonly precedence?: Precedence | undefined
  /** Told whenever the number of calls that wait has changed by so many. */
  readonly onWaiting?: ((change: number) => void) | undefined
}

export function createPace({ clock, precedence, onWaiting }: PaceModules): Pace {
  const forBlock: (() => void)[] = []
  const others: (() => void)[] = []
  /** When calls began to take their share of this turn. */
  let since: number | undefined
  /** What they may take before the next pause. */
  let left = BETWEEN_PAUSES_MS
  /** Runs while they wait for a pause. */
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
      // What follows from the result, down to the socket, is part of the share.
      await Promise.resolve()
      charge(from)
    } while (!isOver())
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
    rest: async () => (waiting() >= MAX_WAITING ? nextTurn() : run(() => undefined)),
  }
}
