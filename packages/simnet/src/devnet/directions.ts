import type { Member } from './members.ts'

/** A direction of messages between two validators. */
export type Direction = readonly [from: Member, to: Member]

export const isSameDirection = ([from, to]: Direction, [otherFrom, otherTo]: Direction): boolean =>
  from === otherFrom && to === otherTo

/** Returns all pairs of a sender in `from` and a different receiver in `to`. */
export function directions(from: readonly Member[], to: readonly Member[]): readonly Direction[] {
  return from.flatMap((one) => to.filter((other) => other !== one).map((other): Direction => [one, other]))
}
