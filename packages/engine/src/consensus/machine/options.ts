import { MAX_PROPOSED_ITEMS } from '@org/types'

/** The options of the consensus machine. All times are in nanoseconds. */
export interface MachineOptions {
  readonly timeoutPropose: bigint
  readonly timeoutProposeDelta: bigint
  readonly timeoutPrevote: bigint
  readonly timeoutPrevoteDelta: bigint
  readonly timeoutPrecommit: bigint
  readonly timeoutPrecommitDelta: bigint
  /**
   * The wait after a commit, in which late precommits arrive, before the next height begins. If the value is a
   * function, it is called once for each height. A network in one process uses a function, because the wait depends on
   * the number of its nodes, and this number may change.
   */
  readonly timeoutCommit: bigint | (() => bigint)
  readonly skipTimeoutCommit: boolean
  readonly createEmptyBlocks: boolean
  readonly createEmptyBlocksInterval: bigint
  /**
   * This node prevotes nil for a block whose time is ahead of this node's clock by at least this duration; 0 turns the
   * check off.
   */
  readonly blockTimeTolerance: bigint
  /**
   * The maximum number of items in a block that this node prevotes or proposes. Items are transactions, signatures,
   * evidence, and the list elements and messages inside them. An item takes about 250 bytes of heap and 5 microseconds.
   * So the default allows about 60 MiB and one second for a block. The maximum must be the same on all nodes.
   */
  readonly maxProposedItems: number
  /**
   * The maximum number of items in a block for which +2/3 have voted. Items are counted as for `maxProposedItems`. The
   * chain may continue only with this block, so this node accepts more items than in a proposal. Set this maximum to
   * the number of items that the heap of this process can hold.
   */
  readonly maxAgreedItems: number
}

const MS = 1_000_000n

/** The default options of the consensus machine. */
export const DEFAULT_MACHINE_OPTIONS: MachineOptions = {
  timeoutPropose: 3000n * MS,
  timeoutProposeDelta: 500n * MS,
  timeoutPrevote: 1000n * MS,
  timeoutPrevoteDelta: 500n * MS,
  timeoutPrecommit: 1000n * MS,
  timeoutPrecommitDelta: 500n * MS,
  timeoutCommit: 1000n * MS,
  skipTimeoutCommit: false,
  createEmptyBlocks: true,
  createEmptyBlocksInterval: 0n,
  blockTimeTolerance: 60_000n * MS,
  maxProposedItems: MAX_PROPOSED_ITEMS,
  maxAgreedItems: 500_000,
}

export function waitsForTxs(options: MachineOptions): boolean {
  return !options.createEmptyBlocks || options.createEmptyBlocksInterval > 0n
}

export function commitWaitOf({ timeoutCommit }: Pick<MachineOptions, 'timeoutCommit'>): bigint {
  return typeof timeoutCommit === 'function' ? timeoutCommit() : timeoutCommit
}

export function timeoutOf(base: bigint, delta: bigint, round: number): bigint {
  return base + delta * BigInt(round)
}
