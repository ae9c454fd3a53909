import type { Clock } from '../clock/index.ts'

/** Work longer than this, in milliseconds, gives the event loop a turn. */
const TURN_MS = 5

/** Lets I/O and other work run before going on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Long work that does not hold the event loop: `if (turns.isDue()) await turns.take()`. */
export interface Turns {
  /** True if the work has used its time since its beginning or the last turn. */
  readonly isDue: () => boolean
  readonly take: () => Promise<void>
}

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
