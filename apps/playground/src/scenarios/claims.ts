import type { NetworkEvent } from '../session/network-event.ts'
import type { Claim } from './scenario.ts'

type Of<W extends NetworkEvent['what']> = Extract<NetworkEvent, { readonly what: W }>

/** Returns all events of one kind. */
export function eventsOfKind<W extends NetworkEvent['what']>(
  networkEvents: readonly NetworkEvent[],
  what: W,
): readonly Of<W>[] {
  return networkEvents.filter((each): each is Of<W> => each.what === what)
}

/**
 * Returns a claim that becomes true when the network reports an event of the kind `what` for which `is` returns
 * true.
 */
export function eventOccurs<W extends NetworkEvent['what']>(
  text: string,
  what: W,
  is: (networkEvent: Of<W>) => boolean,
): Claim {
  return { text, holds: (networkEvents) => eventsOfKind(networkEvents, what).some(is) }
}

/** Returns a claim that a height is decided in a round. */
export const decidedIn = (text: string, height: number, round: number): Claim =>
  eventOccurs(text, 'block', (block) => block.height === height && block.round === round)

/** Returns a claim that a node sends a vote for nil at a height. `what` is the type of the vote. */
export const votesNil = (
  text: string,
  what: 'prevote' | 'precommit',
  [node, height]: readonly [number, number],
): Claim => eventOccurs(text, what, (vote) => vote.node === node && vote.height === height && vote.block === '')
