import {
  type Block,
  type Commit,
  type Evidence,
  hashConsensusParams,
  hashValidators,
  makeBlock,
  medianTime,
  type State,
} from '@org/types'
import type { Time } from '@org/types/time'

/** The content of a new block. Everything else in its header comes from the state. */
export interface NextBlock {
  readonly height: number
  readonly txs: readonly Uint8Array[]
  readonly lastCommit: Commit
  readonly evidence: readonly Evidence[]
  readonly proposerAddress: Uint8Array
}

/**
 * The time of the block at `height` after a state: the genesis time, or the weighted median of the last commit's times.
 */
export function nextBlockTime(state: State, height: number, lastCommit: Commit): Time {
  return height === state.initialHeight ? state.lastBlockTime : medianTime(lastCommit, state.lastValidators)
}

/** Makes the next block after a state. */
export function makeNextBlock(state: State, { proposerAddress, ...content }: NextBlock): Block {
  return makeBlock({
    ...content,
    header: {
      version: state.version.consensus,
      chainId: state.chainId,
      time: nextBlockTime(state, content.height, content.lastCommit),
      lastBlockId: state.lastBlockId,
      validatorsHash: hashValidators(state.validators),
      nextValidatorsHash: hashValidators(state.nextValidators),
      consensusHash: hashConsensusParams(state.consensusParams),
      appHash: state.appHash,
      lastResultsHash: state.lastResultsHash,
      proposerAddress,
    },
  })
}
