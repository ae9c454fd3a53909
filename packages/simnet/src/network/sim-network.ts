import type { GenesisDoc } from '@org/types'
import type { FaultTarget } from '../faults/index.ts'
import type { Monitor, Violation } from '../invariants/index.ts'
import type { SimNode } from '../node/index.ts'
import type { Dice } from '../world/index.ts'

/** The conditions under which a run of a network ends well. */
export interface Conclusion {
  /** The number of new heights that must come. Default 3. */
  readonly heights?: number
  /** The virtual milliseconds within which the new heights must come. Default 60,000. */
  readonly withinMs?: number
  /** The nodes that need not have the new heights. Their connections and bans are not checked either. */
  readonly except?: readonly SimNode[]
}

/** A network of nodes in one process, on one virtual clock. */
export interface SimNetwork extends FaultTarget {
  readonly genesis: GenesisDoc
  readonly monitor: Monitor
  /**
   * The nodes that are validators in the genesis, and those that `setValidators` added. They are the first ones of
   * `nodes`.
   */
  readonly validators: readonly SimNode[]
  /**
   * Adds nodes for further validators, or removes the last ones, until there are `count`. The lists `nodes` and
   * `validators` change. A node that is added is down, and has its old disk if it was removed before; a block must give
   * it a power. Nodes that are removed are crashed. Throws a `WorldError` for a network with other nodes than
   * validators, and for fewer validators than at the beginning.
   */
  readonly setValidators: (count: number) => void
  readonly dice: Dice
  /** The number of faults between nodes, by kind. */
  readonly flaws: ReadonlyMap<string, number>
  /** Starts all nodes that are down. The first call also starts the load and the faults that the options ask for. */
  readonly start: () => void
  /** Ends all faults, and starts all nodes that are down. Does nothing if the options ask for no fault. */
  readonly heal: () => void
  readonly heightOf: (node: SimNode) => number
  /** The greatest height of any node. */
  readonly height: () => number
  /**
   * Runs until all running nodes have this height, or until the virtual milliseconds are over. Resolves with true if
   * they have it.
   */
  readonly reach: (height: number, withinMs: number) => Promise<boolean>
  /** Runs for this many virtual milliseconds. */
  readonly pass: (ms: number) => Promise<void>
  /**
   * Heals the network, waits for new heights, and checks the rules that hold only at the end. Resolves with all
   * violations.
   */
  readonly conclude: (options?: Conclusion) => Promise<readonly Violation[]>
}
