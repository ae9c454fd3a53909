import type { Lie } from './action.ts'

/** The changes of the network that users have made and not undone. */
export interface Conditions {
  /** The links that are cut, as `low-high`. */
  readonly cut: readonly string[]
  readonly lies: ReadonlyMap<number, readonly Lie[]>
  /** The delay of each slow node, in milliseconds. */
  readonly slow: ReadonlyMap<number, number>
}

/** The name of the link between two nodes. */
export const linkName = ([one, other]: readonly [number, number]): string =>
  `${Math.min(one, other)}-${Math.max(one, other)}`
