import type { Clock } from '@org/runtime'
import type { EventHistory, EventItem } from '../ports/index.ts'

/** Where an event stands in the chain: in which block, and as which of its events, from 0. */
export interface EventPlace {
  readonly height: number
  readonly index: number
}

/** Behind every event of a block. */
export const BLOCK_END = Number.MAX_SAFE_INTEGER

export interface CatchUpOptions {
  /** What is up to here was told before. */
  readonly after: EventPlace
  readonly matches: (item: EventItem) => boolean
  /**
   * Takes an event. A promise is waited for: whoever takes them is behind. `false` when the events are wanted no more.
   */
  readonly take: (item: EventItem, place: EventPlace) => boolean | Promise<boolean>
  readonly isOver: () => boolean
}

export interface CatchUpModules {
  readonly history: Pick<EventHistory, 'lastHeight' | 'firstAfter' | 'read'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** The event loop is held for so long, in milliseconds. */
const TURN_MS = 5

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Gives the stored events after a place, up to the last block that was published. Gives the place that it came to; whoever
 * awaits it must look at `lastHeight` again, or use `onLevel`, which is called in the very turn in which nothing is missing.
 */
export async function catchUp(
  { after, matches, take, isOver }: CatchUpOptions,
  { history, clock }: CatchUpModules,
  onLevel: () => void = () => undefined,
): Promise<EventPlace> {
  // A place inside a block is in the middle of what is to be told.
  let at = after
  let turn = clock.monotonic()
  while (!isOver()) {
    const isInside = at.index !== BLOCK_END
    const height = history.firstAfter(isInside ? at.height - 1 : at.height)
    if (height > history.lastHeight()) {
      onLevel()
      return at
    }
    const items = history.read(height)
    for (let index = isInside && height === at.height ? at.index + 1 : 0; index < items.length; index++) {
      const item = items[index] as EventItem
      if (matches(item)) {
        const taken = take(item, { height, index })
        const goesOn = typeof taken === 'boolean' ? taken : await taken
        if (!goesOn) return { height, index }
      }
      if (clock.monotonic() - turn > TURN_MS) {
        await nextTurn()
        turn = clock.monotonic()
      }
      if (isOver()) return { height, index }
    }
    at = { height, index: BLOCK_END }
    if (clock.monotonic() - turn > TURN_MS) {
      await nextTurn()
      turn = clock.monotonic()
    }
  }
  return at
}
