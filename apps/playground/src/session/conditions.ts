import type { Lie } from './action.ts'

/** The changes that users have made to the network and have not undone. */
export interface Conditions {
  /** The names of the links that are cut, as {@link linkName} returns them. */
  readonly cut: readonly string[]
  readonly lies: ReadonlyMap<number, readonly Lie[]>
  /** The delay of each slow node, in milliseconds. */
  readonly slow: ReadonlyMap<number, number>
}

/** Returns the name of the link between two nodes, with the lower number first, such as `0-2`. */
export const linkName = ([one, other]: readonly [number, number]): string =>
  `${Math.min(one, other)}-${Math.max(one, other)}`
