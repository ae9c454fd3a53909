import type { Member } from './members.ts'

/** A direction of messages between two validators. */
export type Way = readonly [from: Member, to: Member]

export const isOneWay = ([from, to]: Way, [otherFrom, otherTo]: Way): boolean => from === otherFrom && to === otherTo

/** Returns all pairs of a sender in `from` and a different receiver in `to`. */
export function ways(from: readonly Member[], to: readonly Member[]): readonly Way[] {
  return from.flatMap((one) => to.filter((other) => other !== one).map((other): Way => [one, other]))
}
