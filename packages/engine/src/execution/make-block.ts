import { type Block, type Commit, makeBlock, medianTime } from '@org/types/block'
import type { Evidence } from '@org/types/evidence'
import { hashConsensusParams } from '@org/types/params'
import type { State } from '@org/types/state'
import { hashValidators } from '@org/types/validators'

export interface NextBlock {
  readonly height: number
  readonly txs: readonly Uint8Array[]
  readonly lastCommit: Commit
  readonly evidence: readonly Evidence[]
  readonly proposerAddress: Uint8Array
}

/** A block on top of a state. Its time is the genesis time, or the weighted median of the last commit's times. */
export function makeNextBlock(state: State, { proposerAddress, ...content }: NextBlock): Block {
  const isFirst = content.height === state.initialHeight
  return makeBlock({
    ...content,
    header: {
      version: state.version.consensus,
      chainId: state.chainId,
      time: isFirst ? state.lastBlockTime : medianTime(content.lastCommit, state.lastValidators),
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
