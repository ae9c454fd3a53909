import type { Happening } from '../session/happening.ts'
import type { Claim } from './scenario.ts'

type Of<W extends Happening['what']> = Extract<Happening, { readonly what: W }>

/** Returns all happenings of one kind. */
export function all<W extends Happening['what']>(happenings: readonly Happening[], what: W): readonly Of<W>[] {
  return happenings.filter((each): each is Of<W> => each.what === what)
}

/**
 * Returns a claim that becomes true when the network reports a happening of the kind `what` for which `is` returns
 * true.
 */
export function happens<W extends Happening['what']>(text: string, what: W, is: (happening: Of<W>) => boolean): Claim {
  return { text, holds: (happenings) => all(happenings, what).some(is) }
}

/** Returns a claim that a height is decided in a round. */
export const decidedIn = (text: string, height: number, round: number): Claim =>
  happens(text, 'block', (block) => block.height === height && block.round === round)

/** Returns a claim that a node votes for no block at a height. */
export const votesNil = (
  text: string,
  what: 'prevote' | 'precommit',
  [node, height]: readonly [number, number],
): Claim => happens(text, what, (vote) => vote.node === node && vote.height === height && vote.block === '')
