import { bytesToHex, compareBytes, equalBytes } from '../bytes/index.ts'
import { VALIDATOR_ERRORS, ValidatorError } from './errors.ts'
import { center, PRIORITY_WINDOW_SIZE_FACTOR, rescale } from './priority.ts'
import { copyIncrementProposerPriority } from './rotation.ts'
import {
  compareByPower,
  EMPTY_VALIDATOR_SET,
  hasAddress,
  MAX_TOTAL_VOTING_POWER,
  sumVotingPower,
  totalVotingPower,
  validatorByAddress,
  withPriorities,
} from './set.ts'
import { formatValidator } from './validator.ts'
import type { Validator, ValidatorSet } from './wire.ts'

const invalid = (message: string): ValidatorError => new ValidatorError(VALIDATOR_ERRORS.change, message)
const formatList = (validators: readonly Validator[]): string => `[${validators.map(formatValidator).join(' ')}]`

interface Changes {
  readonly updates: readonly Validator[]
  readonly removals: readonly Validator[]
}

/**
 * Splits the changes into updates and removals, and sorts each list by address. Throws {@link ValidatorError} on
 * duplicates and impossible powers.
 */
function splitChanges(given: readonly Validator[]): Changes {
  const changes = [...given].sort((a, b) => compareBytes(a.address, b.address))
  const updates: Validator[] = []
  const removals: Validator[] = []
  let previous: Validator | undefined
  for (const change of changes) {
    // Each address is compared with the address before it in the sorted list. As in the reference, the first address is
    // compared with an empty address. So a change without an address is reported as a duplicate, even if there is only
    // one change.
    if (equalBytes(change.address, previous?.address ?? new Uint8Array(0))) {
      throw invalid(`duplicate entry ${formatValidator(change)} in ${formatList(changes)}`)
    }
    if (change.votingPower < 0n) throw invalid(`voting power can't be negative: ${change.votingPower}`)
    if (change.votingPower > MAX_TOTAL_VOTING_POWER) {
      throw invalid(
        `to prevent clipping/overflow, voting power can't be higher than ${MAX_TOTAL_VOTING_POWER}, got ${change.votingPower}`,
      )
    }
    if (change.votingPower === 0n) removals.push(change)
    else updates.push(change)
    previous = change
  }
  return { updates, removals }
}

function removedPower(set: ValidatorSet, removals: readonly Validator[]): bigint {
  let power = 0n
  for (const { address } of removals) {
    const found = validatorByAddress(set, address)
    if (found === undefined) throw invalid(`failed to find validator ${bytesToHex(address)} to remove`)
    power += found.validator.votingPower
  }
  return power
}

/**
 * Returns the total power after the updates. This total includes `removed`, the power of the validators that will be
 * removed after the updates. The updates are made one after the other, in ascending order of their change of power.
 * Throws {@link ValidatorError} if, after any update, the total without `removed` is above the maximum.
 */
function powerAfterUpdates(set: ValidatorSet, updates: readonly Validator[], removed: bigint): bigint {
  const deltas = updates.map((update) => {
    const old = validatorByAddress(set, update.address)?.validator.votingPower ?? 0n
    return update.votingPower - old
  })
  deltas.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  let power = totalVotingPower(set) - removed
  for (const delta of deltas) {
    power += delta
    if (power > MAX_TOTAL_VOTING_POWER) {
      const message = `total voting power of resulting valset exceeds max ${MAX_TOTAL_VOTING_POWER}`
      throw new ValidatorError(VALIDATOR_ERRORS.powerOverflow, message)
    }
  }
  return power + removed
}

function applyChanges(set: ValidatorSet, given: readonly Validator[], allowRemovals: boolean): ValidatorSet {
  if (given.length === 0) return set
  const { updates, removals } = splitChanges(given)
  if (!allowRemovals && removals.length > 0) {
    throw invalid(`cannot process validators with voting power 0: ${formatList(removals)}`)
  }
  const added = updates.filter((update) => !hasAddress(set, update.address)).length
  if (added === 0 && set.validators.length === removals.length) {
    throw invalid('applying the validator changes would result in empty set')
  }
  const removed = removedPower(set, removals)
  const total = powerAfterUpdates(set, updates, removed)

  // A new validator starts with a priority of -1.125 times the total power. So a validator cannot improve its priority
  // by leaving and joining again.
  const newcomer = -(total + (total >> 3n))
  const updated = updates.map((update) => ({
    ...update,
    proposerPriority: validatorByAddress(set, update.address)?.validator.proposerPriority ?? newcomer,
  }))
  const changed = new Set([...updates, ...removals].map(({ address }) => bytesToHex(address)))
  const kept = set.validators.filter(({ address }) => !changed.has(bytesToHex(address)))
  const validators = [...kept, ...updated].sort(compareByPower)
  const power = sumVotingPower(validators)
  const window = PRIORITY_WINDOW_SIZE_FACTOR * power
  const priorities = center(
    rescale(
      validators.map((validator) => validator.proposerPriority),
      window,
    ),
  )
  return { validators: withPriorities(validators, priorities), proposer: set.proposer, totalVotingPower: power }
}

/**
 * Returns the set after its changes: validators are added, changed and (power 0) removed, and priorities are rescaled
 * and centred. The proposer does not change until the next step of the rotation. Throws {@link ValidatorError} if the
 * changes cannot be made.
 */
export function updateWithChangeSet(set: ValidatorSet, changes: readonly Validator[]): ValidatorSet {
  return applyChanges(set, changes, true)
}

/**
 * Makes a set of new validators, after one step of its rotation. Throws {@link ValidatorError} on duplicates or
 * impossible powers.
 */
export function createValidatorSet(validators: readonly Validator[]): ValidatorSet {
  if (validators.length === 0) return EMPTY_VALIDATOR_SET
  let set: ValidatorSet
  try {
    set = applyChanges(EMPTY_VALIDATOR_SET, validators, false)
  } catch (cause) {
    const message = `Cannot create validator set: ${(cause as Error).message}`
    throw new ValidatorError(VALIDATOR_ERRORS.set, message, { cause })
  }
  return copyIncrementProposerPriority(set, 1)
}
