import { type Commit, type ConsensusParams, type Header, SOFTWARE_VERSION, State, type ValidatorSet } from '@org/types'

/** A light block: the verified header and commit of a block, and the validators of its height. */
export interface ProvenBlock {
  readonly header: Header
  readonly commit: Commit
  readonly validators: ValidatorSet
}

/** Three light blocks of consecutive heights, from which the state after a snapshot is made. */
export interface ProvenBlocks {
  /**
   * The block at the snapshot's height. The next header, which is in `current`, contains the app hash after this block.
   */
  readonly last: ProvenBlock
  /** The block of the height after the snapshot's height. */
  readonly current: ProvenBlock
  /** The block of the height after `current`. */
  readonly next: ProvenBlock
}

/**
 * Returns the state after the block `last`. All three blocks are needed, because the state contains the validators of
 * their three heights. `consensusParams` are the consensus parameters of the height after `last`. The blocks do not
 * prove at which heights validators and parameters last changed. Instead of these heights, the state contains the first
 * heights whose validators and parameters are stored, as in the reference (`statesync/stateprovider.go`).
 */
export function stateFromBlocks(
  { last, current, next }: ProvenBlocks,
  { initialHeight, consensusParams }: { readonly initialHeight: number; readonly consensusParams: ConsensusParams },
): State {
  return State.create({
    version: { consensus: current.header.version, software: SOFTWARE_VERSION },
    chainId: last.header.chainId,
    initialHeight,
    lastBlockHeight: last.header.height,
    lastBlockId: last.commit.blockId,
    lastBlockTime: last.header.time,
    lastValidators: last.validators,
    validators: current.validators,
    nextValidators: next.validators,
    lastHeightValidatorsChanged: next.header.height,
    consensusParams,
    lastHeightConsensusParamsChanged: current.header.height,
    lastResultsHash: current.header.lastResultsHash,
    appHash: current.header.appHash,
  })
}
