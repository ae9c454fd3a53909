import type { Clock } from '../clock/index.ts'

/** The milliseconds after which long work should give the event loop a turn. */
const TURN_MS = 5

/** Resolves in the next turn of the event loop, after I/O and other work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Divides long work into turns, so that it does not block the event loop: `if (turns.isDue()) await turns.take()`. */
export interface Turns {
  /**
   * Returns true if the work has run for too long since its beginning or its last `take`, so that it should call `take`
   * now.
   */
  readonly isDue: () => boolean
  readonly take: () => Promise<void>
}

/**
 * Creates the {@link Turns} of long work that begins now. The method `take` gives other work a turn of the event loop.
 * The method `isDue` returns true if the work has run for more than `ms` milliseconds since its beginning or since its
 * last call of `take`.
 */
export function createTurns({ monotonic }: Pick<Clock, 'monotonic'>, ms = TURN_MS): Turns {
  let since = monotonic()
  return {
    isDue: () => monotonic() - since > ms,
    take: async () => {
      await nextTurn()
      since = monotonic()
    },
  }
}
