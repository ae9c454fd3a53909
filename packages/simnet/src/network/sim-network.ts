import type { GenesisDoc } from '@org/types'
import type { FaultTarget } from '../faults/index.ts'
import type { Monitor, Violation } from '../invariants/index.ts'
import type { SimNode } from '../node/index.ts'
import type { RandomSource } from '../world/index.ts'

/** The conditions for a good end of a run. The network must commit new blocks at the end of the run. */
export interface Conclusion {
  /** The number of heights that the network must still commit at the end of the run. Default 3. */
  readonly heights?: number
  /** The virtual milliseconds within which all nodes must reach the new heights (`heights`). Default 60,000. */
  readonly withinMs?: number
  /**
   * The nodes that need not reach the new heights at the end of the run. Their connections and bans are not checked
   * either.
   */
  readonly except?: readonly SimNode[]
}

/** A network of nodes in one process, on one virtual clock. */
export interface SimNetwork extends FaultTarget {
  readonly genesis: GenesisDoc
  readonly monitor: Monitor
  /**
   * The nodes that are validators in the genesis, and the nodes that `setValidators` added. They are at the beginning
   * of the list `nodes`.
   */
  readonly validators: readonly SimNode[]
  /**
   * Changes the number of validator nodes to `count`: adds nodes to the lists `nodes` and `validators`, or removes the
   * last ones. A removed node is crashed. An added node does not run yet, and has its old disk if it was removed
   * before. An added node has no power yet: only a block of the chain can give power to a validator. Throws a
   * `WorldError` if some nodes of the network are not validators, or if `count` is below the number of validators at
   * the beginning.
   */
  readonly setValidators: (count: number) => void
  readonly random: RandomSource
  /** The number of faults that happened to messages between nodes, such as lost segments, by kind. */
  readonly flaws: ReadonlyMap<string, number>
  /**
   * Starts all nodes that are down, except the joiners. The first call also starts the clients, which send
   * transactions, and the faults of the options. The joiners then start when the chain has reached the height `startAt`
   * of their options.
   */
  readonly start: () => void
  /** Ends all faults, and starts all nodes that are down. Does nothing if the options ask for no fault. */
  readonly heal: () => void
  readonly heightOf: (node: SimNode) => number
  /** The greatest height of any node. */
  readonly height: () => number
  /**
   * Runs until all running nodes have reached this height, for at most `withinMs` virtual milliseconds. Resolves with
   * true if they have reached it.
   */
  readonly reach: (height: number, withinMs: number) => Promise<boolean>
  /** Runs for this many virtual milliseconds. */
  readonly pass: (ms: number) => Promise<void>
  /**
   * Ends all faults, starts the nodes that are down, waits for new heights, and checks the rules that hold only at the
   * end. Resolves with all violations.
   */
  readonly conclude: (options?: Conclusion) => Promise<readonly Violation[]>
}
