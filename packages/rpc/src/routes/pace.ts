import type { Clock } from '@org/runtime'

/** Milliseconds of one turn of the event loop that calls may take; the one at work then is finished. */
const SHARE_MS = 1
/** Calls that may wait; those beyond run at once. */
const MAX_WAITING = 4096

/**
 * Shares the event loop between calls and everything else. A decided block needs several turns of the loop one after the
 * other, for the disk and for timers: were all calls answered that came since the last turn, each would take as long as they.
 */
export interface Pace {
  /** Does the work at once if calls have had less than their share of this turn, else in a later one, in the order of coming. */
  readonly run: <T>(work: () => T | Promise<T>) => T | Promise<T>
}

export interface PaceModules {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Told whenever the number of calls that wait has changed by so many. */
  readonly onWaiting?: ((change: number) => void) | undefined
}

export function createPace({ clock, onWaiting }: PaceModules): Pace {
  const waiting: (() => void)[] = []
  /** When calls began to take their share of this turn. */
  let since: number | undefined

  const isOver = (): boolean => since !== undefined && clock.monotonic() - since >= SHARE_MS

  function begin(): void {
    since = clock.monotonic()
    setImmediate(() => void turn())
  }

  async function turn(): Promise<void> {
    since = undefined
    if (waiting.length === 0) return
    begin()
    while (!isOver()) {
      const work = waiting.shift()
      if (work === undefined) return
      onWaiting?.(-1)
      work()
      // What follows from the result, down to the socket, is part of the share.
      await Promise.resolve()
    }
  }

  function later<T>(work: () => T | Promise<T>): Promise<T> {
    onWaiting?.(1)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.push(() => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    return promise
  }

  return {
    run: (work) => {
      if (waiting.length >= MAX_WAITING) return work()
      if (waiting.length > 0 || isOver()) return later(work)
      if (since === undefined) begin()
      return work()
    },
  }
}
