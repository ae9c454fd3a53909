import { type Clock, createTurns } from '@org/runtime'
import type { EventHistory, EventItem } from '../ports/index.ts'

/** Where an event stands in the chain: in which block, and as which of its events, from 0. */
export interface EventPlace {
  readonly height: number
  readonly index: number
}

/** Behind every event of a block. */
export const BLOCK_END = Number.MAX_SAFE_INTEGER

/** `12` is behind block 12, `12-3` behind its fourth event. */
export function formatPlace({ height, index }: EventPlace): string {
  return index === BLOCK_END ? String(height) : `${height}-${index}`
}

/** `undefined` for a text that is no place. */
export function parsePlace(text: string): EventPlace | undefined {
  const match = /^([0-9]{1,15})(?:-([0-9]{1,9}))?$/.exec(text)
  if (match === null) return undefined
  return { height: Number(match[1]), index: match[2] === undefined ? BLOCK_END : Number(match[2]) }
}

/** The height of the first event after a place, to come or not. Throws the history's errors. */
export function heightAfter({ height, index }: EventPlace, history: Pick<EventHistory, 'firstAfter'>): number {
  return history.firstAfter(index === BLOCK_END ? height : height - 1)
}

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

/**
 * Gives the stored events after a place, up to the last block that was published. Gives the place that it came to; whoever
 * awaits it must look at `lastHeight` again, or use `onLevel`, which is called in the very turn in which nothing is missing.
 */
export async function catchUp(
  { after, matches, take, isOver }: CatchUpOptions,
  { history, clock }: CatchUpModules,
  onLevel: () => void = () => undefined,
): Promise<EventPlace> {
  let at = after
  const turns = createTurns(clock)
  while (!isOver()) {
    const height = heightAfter(at, history)
    if (height > history.lastHeight()) {
      onLevel()
      return at
    }
    const items = history.read(height)
    for (let index = height === at.height ? at.index + 1 : 0; index < items.length; index++) {
      const item = items[index] as EventItem
      if (matches(item)) {
        const taken = take(item, { height, index })
        const goesOn = typeof taken === 'boolean' ? taken : await taken
        if (!goesOn) return { height, index }
      }
      if (turns.isDue()) await turns.take()
      if (isOver()) return { height, index }
    }
    at = { height, index: BLOCK_END }
    if (turns.isDue()) await turns.take()
  }
  return at
}
