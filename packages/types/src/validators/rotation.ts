import { VALIDATOR_ERRORS, ValidatorError } from './errors.ts'
import { beginRotation, fitsNumbers, NUMBER_LIMIT, rotateBigints, rotateNumbers } from './priority.ts'
import { copyCachedValues, totalVotingPower, withPriorities } from './set.ts'
import type { ValidatorSet } from './wire.ts'

/**
 * The state of a set's rotation after some steps. The priorities are in the order of the set. The caller must not
 * change them.
 */
export interface RotationState {
  readonly steps: number
  /** The index of the validator that the last step chose as proposer; `undefined` before the first step. */
  readonly proposer: number | undefined
  readonly priorities: Float64Array | readonly bigint[]
}

/**
 * The rotation of one set. Its steps can be made in several calls. After all steps, `result` returns the same set as
 * one call of `copyIncrementProposerPriority`.
 */
export interface SetRotation {
  readonly steps: () => number
  readonly advance: (times: number) => void
  /** The state of this rotation. Another rotation of the same set can continue from this state. */
  readonly state: () => RotationState
  /**
   * Returns the set after the steps. Throws {@link ValidatorError} if no step was made, because only a step chooses a
   * proposer.
   */
  readonly result: () => ValidatorSet
}

/** The cost of a step with bigints, divided by the cost of a step with numbers. */
const BIGINT_COST = 32

/** Returns the cost of one step of the set's rotation: 1 for each validator, or more if the powers need bigints. */
export function rotationStepCost(set: ValidatorSet): number {
  return set.validators.length * (totalVotingPower(set) < NUMBER_LIMIT ? 1 : BIGINT_COST)
}

/** Returns the maximum number of bytes of a {@link RotationState} in memory. */
export const rotationStateBytes = ({ priorities }: RotationState): number =>
  256 + priorities.length * (priorities instanceof Float64Array ? 8 : 32)

/**
 * Begins the rotation of a set, or continues from the state `from` of an earlier rotation of the same set. Throws
 * {@link ValidatorError} on an empty set.
 */
export function createSetRotation(set: ValidatorSet, from?: RotationState): SetRotation {
  const { validators } = set
  if (validators.length === 0) throw new ValidatorError(VALIDATOR_ERRORS.emptySet, 'empty validator set')
  const rotation = {
    powers: validators.map(({ votingPower }) => votingPower),
    addresses: validators.map(({ address }) => address),
    total: totalVotingPower(set),
    priorities: from === undefined ? validators.map(({ proposerPriority }) => proposerPriority) : [],
  }
  if (from === undefined) beginRotation(rotation)
  const start = from?.priorities ?? (fitsNumbers(rotation) ? Float64Array.from(rotation.priorities, Number) : undefined)
  const numbers = start instanceof Float64Array ? start.slice() : undefined
  if (numbers === undefined && start !== undefined) rotation.priorities = [...(start as readonly bigint[])]
  const powers = numbers === undefined ? undefined : Float64Array.from(rotation.powers, Number)
  let steps = from?.steps ?? 0
  let proposer = from?.proposer
  return {
    steps: () => steps,
    advance: (times) => {
      if (times <= 0) return
      proposer =
        numbers === undefined || powers === undefined
          ? rotateBigints(rotation, times)
          : rotateNumbers(
              { powers, priorities: numbers, addresses: rotation.addresses, total: Number(rotation.total) },
              times,
            )
      steps += times
    },
    state: () => ({ steps, proposer, priorities: numbers?.slice() ?? [...rotation.priorities] }),
    result: () => {
      if (proposer === undefined) throw new ValidatorError(VALIDATOR_ERRORS.set, 'a rotation needs at least one step')
      const priorities = numbers === undefined ? rotation.priorities : Array.from(numbers, BigInt)
      const rotated = withPriorities(validators, priorities)
      copyCachedValues(validators, rotated)
      return { validators: rotated, proposer: rotated[proposer], totalVotingPower: rotation.total }
    },
  }
}

/**
 * Returns the set after `times` steps of its rotation (at least one), with its proposer. Throws {@link ValidatorError}
 * on an empty set.
 */
export function copyIncrementProposerPriority(set: ValidatorSet, times: number): ValidatorSet {
  const rotation = createSetRotation(set)
  if (times <= 0) {
    const message = 'Cannot call IncrementProposerPriority with non-positive times'
    throw new ValidatorError(VALIDATOR_ERRORS.set, message)
  }
  rotation.advance(times)
  return rotation.result()
}
