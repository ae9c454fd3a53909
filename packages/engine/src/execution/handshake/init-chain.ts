import {
  copyIncrementProposerPriority,
  createValidatorSet,
  type GenesisDoc,
  type State,
  updateConsensusParams,
} from '@org/types'
import type { RequestInitChain, ResponseInitChain } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { hashFromByteSlices } from '@org/types/crypto'
import { makeGenesisState } from '../genesis-state.ts'
import { validatorsFromUpdates } from '../validator-updates.ts'
import { HANDSHAKE_ERRORS, HandshakeError } from './errors.ts'

export function initChainRequest(genesis: GenesisDoc): RequestInitChain {
  // The request names the validators in the order of the validator set: by power, then by address.
  const { validators } = makeGenesisState(genesis).validators
  return {
    time: genesis.genesisTime,
    chainId: genesis.chainId,
    consensusParams: genesis.consensusParams,
    validators: validators.map(({ pubKey, votingPower }) => ({ pubKey, power: votingPower })),
    appStateBytes: utf8ToBytes(genesis.appState),
    initialHeight: genesis.initialHeight,
  }
}

/** Applies the application's answer to the genesis state. */
export function applyInitChain(state: State, genesis: GenesisDoc, response: ResponseInitChain): State {
  if (response.validators.length === 0 && genesis.validators.length === 0) {
    throw new HandshakeError(
      HANDSHAKE_ERRORS.noValidators,
      'validator set is nil in genesis and still empty after InitChain',
    )
  }
  const params = response.consensusParams
  const consensusParams =
    params === undefined ? state.consensusParams : updateConsensusParams(state.consensusParams, params)
  const changed: State = {
    ...state,
    // If the application returned no app hash, the state keeps the app hash that the genesis document contains.
    appHash: response.appHash.length > 0 ? response.appHash : state.appHash,
    lastResultsHash: hashFromByteSlices([]),
    consensusParams,
    version:
      params === undefined
        ? state.version
        : { ...state.version, consensus: { ...state.version.consensus, app: consensusParams.version.app } },
  }
  if (response.validators.length === 0) return changed
  const validators = createValidatorSet(validatorsFromUpdates(response.validators))
  return { ...changed, validators, nextValidators: copyIncrementProposerPriority(validators, 1) }
}
