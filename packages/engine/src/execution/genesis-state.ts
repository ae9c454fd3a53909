import {
  BLOCK_PROTOCOL,
  copyIncrementProposerPriority,
  createValidator,
  createValidatorSet,
  type GenesisDoc,
  SOFTWARE_VERSION,
  State,
  ZERO_BLOCK_ID,
} from '@org/types'
import { EMPTY_BYTES } from '@org/types/schema'

/** The state before the first block. The application's version is not known at this point. */
export function makeGenesisState(genesis: GenesisDoc): State {
  const validators = createValidatorSet(genesis.validators.map(({ pubKey, power }) => createValidator(pubKey, power)))
  return State.create({
    version: { consensus: { block: BLOCK_PROTOCOL, app: 0n }, software: SOFTWARE_VERSION },
    chainId: genesis.chainId,
    initialHeight: genesis.initialHeight,
    lastBlockHeight: 0,
    lastBlockId: ZERO_BLOCK_ID,
    lastBlockTime: genesis.genesisTime,
    validators,
    nextValidators: validators.validators.length === 0 ? validators : copyIncrementProposerPriority(validators, 1),
    lastValidators: createValidatorSet([]),
    lastHeightValidatorsChanged: genesis.initialHeight,
    consensusParams: genesis.consensusParams,
    lastHeightConsensusParamsChanged: genesis.initialHeight,
    lastResultsHash: EMPTY_BYTES,
    appHash: genesis.appHash,
  })
}
