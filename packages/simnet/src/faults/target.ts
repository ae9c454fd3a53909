import type { SimNode } from '../node/index.ts'
import type { Hub } from '../peers/index.ts'
import type { Scheduler, Trace } from '../world/index.ts'

/** Called before and after each effect of a node. */
export type EffectHook = (node: SimNode, effect: Effect, when: 'before' | 'after') => void

export interface Effect {
  readonly kind: 'disk' | 'app' | 'send'
  readonly name: string
  /** The number of this effect, counted over all effects of the node. */
  readonly number: number
}

/**
 * Receives a report of each fault that may make a node halt, and of each crash. Without these reports, the checks of
 * the rules would treat the halt as a violation.
 */
export interface FaultMonitor {
  /**
   * Changes the number of present faults that may make the node halt. If `more` is 1, a fault begins. If `more` is -1,
   * a fault is over.
   */
  readonly expectHalt: (node: string, more: 1 | -1) => void
  /** Called after a crash, with the disk as it is then. */
  readonly crashed: (node: SimNode) => void
}

/** The parts of a network in which faults happen. */
export interface FaultTarget {
  readonly nodes: readonly SimNode[]
  readonly scheduler: Scheduler
  readonly hub: Hub
  readonly monitor: FaultMonitor
  readonly trace: Trace
  /** Sends a transaction to a running node. */
  readonly submit: (node: SimNode, tx: string) => void
  /** Calls `hook` before and after each write, application call and send of a node. */
  readonly watchEffects: (hook: EffectHook) => void
}
