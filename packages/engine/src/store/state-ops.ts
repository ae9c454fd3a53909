import { State, type ValidatorSet } from '@org/types'
import { type Op, put } from './kv/index.ts'
import { saveParamsOp, saveValidatorsOp } from './state-infos.ts'
import { STATE_KEY } from './state-keys.ts'

/** The database writes that save a state. */
export interface StateOps {
  readonly ops: readonly Op[]
  /**
   * The height of the block that follows the state. The writes contain the consensus parameters of this height, and the
   * validator set of the height after it.
   */
  readonly next: number
  /** The lowest height whose validator set is among the writes. */
  readonly lowestSet: number
}

/** Returns the writes for the first state, or for a state that is one block after the stored state. */
export function saveStateOps(state: State): StateOps {
  const { lastBlockHeight, initialHeight, validators, nextValidators, consensusParams } = state
  const isFirst = lastBlockHeight === 0
  const next = isFirst ? initialHeight : lastBlockHeight + 1
  const ops: Op[] = []
  // The state after block `h` saves the validator set of `h + 2`. The set of the first height would be saved by an
  // earlier state, which does not exist. So the first state saves this set too.
  if (isFirst) ops.push(saveValidatorsOp({ height: next, lastHeightChanged: next, validators }))
  ops.push(
    saveValidatorsOp({
      height: next + 1,
      lastHeightChanged: state.lastHeightValidatorsChanged,
      validators: nextValidators,
    }),
    saveParamsOp(next, state.lastHeightConsensusParamsChanged, consensusParams),
    put(STATE_KEY, State.encode(state)),
  )
  return { ops, next, lowestSet: isFirst ? next : next + 1 }
}

/**
 * Returns the writes for a state when the store has no states of earlier heights. Each validator set is saved whole,
 * because it cannot refer to the set of an earlier height.
 */
export function bootstrapOps(state: State): StateOps {
  const { lastBlockHeight, initialHeight, lastValidators, validators, nextValidators } = state
  const next = lastBlockHeight === 0 ? initialHeight : lastBlockHeight + 1
  const whole = (height: number, set: ValidatorSet): Op =>
    saveValidatorsOp({ height, lastHeightChanged: height, validators: set })
  const ops: Op[] = []
  if (next > 1 && lastValidators.validators.length > 0) ops.push(whole(next - 1, lastValidators))
  ops.push(
    whole(next, validators),
    whole(next + 1, nextValidators),
    saveParamsOp(next, state.lastHeightConsensusParamsChanged, state.consensusParams),
    put(STATE_KEY, State.encode(state)),
  )
  return { ops, next, lowestSet: next - 1 }
}
