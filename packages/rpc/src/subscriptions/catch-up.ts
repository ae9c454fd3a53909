import type { EventHistory, EventItem } from '../ports/index.ts'
import type { CatchUpTurn, CatchUpTurns } from './catch-up-turns.ts'
import { BLOCK_END, type EventPosition, heightAfter } from './event-position.ts'

export interface CatchUpOptions {
  /** The position of the last event that the client has. The catch-up begins with the event after this position. */
  readonly after: EventPosition
  readonly matches: (item: EventItem) => boolean
  /**
   * Receives an event. Returns `more` to get the next event, `behind` if the client must first read what was sent, and
   * `over` to end the catch-up.
   */
  readonly deliver: (item: EventItem, position: EventPosition) => 'more' | 'behind' | 'over'
  /**
   * Waits until the client is no longer behind. Resolves with `false` if the client is gone. Must be present if
   * `deliver` can return `behind`.
   */
  readonly drained?: () => Promise<boolean>
  readonly isOver: () => boolean
  /** Aborted when the client is gone. A catch-up that waits for its turn then ends. */
  readonly signal?: AbortSignal
}

export interface CatchUpModules {
  readonly history: Pick<EventHistory, 'lastHeight' | 'firstAfter' | 'read'>
  readonly turns: CatchUpTurns
}

/**
 * Passes the stored events after a position in the chain to `deliver`, up to the last published block. Resolves with
 * the position that the catch-up has reached.
 *
 * A block may be published after this function has found no further event, and before the caller continues. The caller
 * can find this block if it compares the returned position with `lastHeight`. Instead, the caller may pass the function
 * `onLevel`. `onLevel` is called at the moment when no published event is left, before a further block can be
 * published. From this call on, the caller must process new events itself.
 */
export async function catchUp(
  options: CatchUpOptions,
  { history, turns }: CatchUpModules,
  onLevel: () => void = () => undefined,
): Promise<EventPosition> {
  const { signal } = options
  const turn = turns.open(signal)
  try {
    await turn.begin()
    return await deliverBlocks(options, { history, turn, onLevel })
  } catch (error) {
    if (signal?.aborted === true) return options.after
    throw error
  } finally {
    turn.leaveBlock()
    turn.end()
  }
}

interface DeliveryModules {
  readonly history: CatchUpModules['history']
  readonly turn: CatchUpTurn
  readonly onLevel: () => void
}

async function deliverBlocks(options: CatchUpOptions, modules: DeliveryModules): Promise<EventPosition> {
  const { history, turn, onLevel } = modules
  let at = options.after
  while (!options.isOver()) {
    const height = heightAfter(at, history)
    if (height > history.lastHeight()) {
      onLevel()
      return at
    }
    const ended = await deliverBlock(options, modules, { height, first: height === at.height ? at.index + 1 : 0 })
    if (ended !== undefined) return ended
    at = { height, index: BLOCK_END }
    if (turn.isDue()) await turn.nextSlice()
  }
  return at
}

/**
 * Passes on the events of one block. If the catch-up must end, resolves with the position of the event at which it
 * stopped. Otherwise resolves with `undefined`.
 */
async function deliverBlock(
  { matches, deliver, drained, isOver }: CatchUpOptions,
  { history, turn }: DeliveryModules,
  { height, first }: { readonly height: number; readonly first: number },
): Promise<EventPosition | undefined> {
  await turn.enterBlock()
  let items: readonly EventItem[] | undefined = history.read(height)
  const { length } = items
  for (let index = first; index < length; index++) {
    items ??= history.read(height)
    const outcome = deliverIfMatching(items[index] as EventItem, { height, index })
    if (outcome === 'over') return { height, index }
    if (outcome === 'behind') {
      // While this catch-up waits for its client, others work. The events of the block may be too large to be kept.
      if (!turn.pauseBlock()) items = undefined
      if ((await drained?.()) !== true) return { height, index }
      await turn.continueBlock()
    }
    if (turn.isDue()) await turn.nextSlice()
    if (isOver()) return { height, index }
  }
  turn.leaveBlock()
  return undefined

  function deliverIfMatching(item: EventItem, position: EventPosition): 'more' | 'behind' | 'over' {
    return matches(item) ? deliver(item, position) : 'more'
  }
}
