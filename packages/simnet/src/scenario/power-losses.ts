import type { Fault } from '../faults/index.ts'

export interface PowerLosses {
  readonly count: number
  /**
   * The virtual time, in milliseconds, at which the count of effects begins for the first power failure. The power
   * failure happens when the count has reached the number that `effects` gives. For each further power failure, the
   * count begins `everyMs` later than for the power failure before.
   */
  readonly at: number
  readonly everyMs: number
  /** The number of nodes. The power failures happen at each of these nodes in turn. */
  readonly nodes: number
  /**
   * Determines the effect at which each power failure happens. An effect is a write, an application call or a send of a
   * node. For each power failure, the effects are counted from 1. The power failure with the index `i`, from 0, happens
   * at the effect with the number `1 + (i * effects.step) % effects.below`.
   */
  readonly effects: { readonly step: number; readonly below: number }
  /**
   * Whether the first power failure happens immediately before the effect at which it is planned, or immediately after
   * this effect. For the later power failures, `before` and `after` alternate.
   */
  readonly first: 'before' | 'after'
  readonly downMs: number
}

/** Makes power failures that happen one after the other, each at another effect of a node. */
export function powerLosses({ count, at, everyMs, nodes, effects, first, downMs }: PowerLosses): readonly Fault[] {
  const second = first === 'before' ? 'after' : 'before'
  return Array.from({ length: count }, (_, i) => ({
    kind: 'crashAtEffect',
    at: at + everyMs * i,
    node: i % nodes,
    effects: 1 + ((i * effects.step) % effects.below),
    when: i % 2 === 0 ? first : second,
    crash: 'power',
    downMs,
  }))
}
