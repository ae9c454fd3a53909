import { messageOf } from '@org/runtime'
import {
  type BlockId,
  type ConsensusParams,
  type ConsensusParamsUpdate,
  copyIncrementProposerPriority,
  type Header,
  hashResults,
  type State,
  updateConsensusParams,
  updateWithChangeSet,
  type Validator,
  validateConsensusParams,
  validateParamsUpdate,
} from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import { EMPTY_BYTES } from '@org/types/schema'
import { EXECUTION_ERRORS, ExecutionError, type ExecutionErrorCode } from './errors.ts'

export interface AppliedBlock {
  readonly blockId: BlockId
  readonly header: Header
  readonly response: ResponseFinalizeBlock
  readonly validatorUpdates: readonly Validator[]
}

function nextValidators(state: State, updates: readonly Validator[]): State['nextValidators'] {
  const changed = wrapped(EXECUTION_ERRORS.validatorUpdates, 'changing validator set', () =>
    updates.length === 0 ? state.nextValidators : updateWithChangeSet(state.nextValidators, updates),
  )
  return copyIncrementProposerPriority(changed, 1)
}

function wrapped<T>(code: ExecutionErrorCode, prefix: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw new ExecutionError(code, `${prefix}: ${messageOf(cause)}`, { cause })
  }
}

function nextParams(state: State, update: ConsensusParamsUpdate, height: number): ConsensusParams {
  const code = EXECUTION_ERRORS.paramUpdates
  const params = updateConsensusParams(state.consensusParams, update)
  wrapped(code, 'validating new consensus params', () => validateConsensusParams(params))
  wrapped(code, 'updating consensus params', () => validateParamsUpdate(state.consensusParams, update, height))
  return params
}

/**
 * Returns the state after a block. Validator changes in the block of height H take effect at height H+2, parameter
 * changes at height H+1. The app hash is left empty. The caller sets the app hash when the application has committed
 * the block.
 */
export function updateState(state: State, { blockId, header, response, validatorUpdates }: AppliedBlock): State {
  const params = response.consensusParamUpdates
  const consensusParams = params === undefined ? state.consensusParams : nextParams(state, params, header.height)
  return {
    version:
      params === undefined
        ? state.version
        : { ...state.version, consensus: { ...state.version.consensus, app: consensusParams.version.app } },
    chainId: state.chainId,
    initialHeight: state.initialHeight,
    lastBlockHeight: header.height,
    lastBlockId: blockId,
    lastBlockTime: header.time,
    nextValidators: nextValidators(state, validatorUpdates),
    validators: state.nextValidators,
    lastValidators: state.validators,
    lastHeightValidatorsChanged: validatorUpdates.length > 0 ? header.height + 2 : state.lastHeightValidatorsChanged,
    consensusParams,
    lastHeightConsensusParamsChanged: params === undefined ? state.lastHeightConsensusParamsChanged : header.height + 1,
    lastResultsHash: hashResults(response.txResults),
    appHash: EMPTY_BYTES,
  }
}
