import { BLOCK_PROTOCOL, ZERO_BLOCK_ID } from '@org/types/block'
import type { GenesisDoc } from '@org/types/genesis'
import { EMPTY_BYTES } from '@org/types/schema'
import { State } from '@org/types/state'
import { copyIncrementProposerPriority, createValidator, createValidatorSet } from '@org/types/validators'
import { SOFTWARE_VERSION } from '@org/types/version'

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
