import { compareBytes, equalBytes } from '../bytes/index.ts'
import { sha256 } from '../crypto/hash.ts'
import { hashFromByteSlices } from '../merkle/tree.ts'
import { VALIDATOR_ERRORS, ValidatorError } from './errors.ts'
import { addClip } from './int64.ts'
import { validateValidatorBasic, validatorBytes } from './validator.ts'
import type { Validator, ValidatorSet } from './wire.ts'

/** The maximum total power of a set. It is so small that no sum in the rotation overflows an int64. */
export const MAX_TOTAL_VOTING_POWER: bigint = (2n ** 63n - 1n) / 8n

/** Compares two validators in the order of a set: power descending, then address ascending. */
export function compareByPower(a: Validator, b: Validator): number {
  if (a.votingPower !== b.votingPower) return a.votingPower > b.votingPower ? -1 : 1
  return compareBytes(a.address, b.address)
}

/** Returns the sum of the powers. Throws {@link ValidatorError} above {@link MAX_TOTAL_VOTING_POWER}. */
export function sumVotingPower(validators: readonly Validator[]): bigint {
  let sum = 0n
  for (const validator of validators) {
    sum = addClip(sum, validator.votingPower)
    if (sum > MAX_TOTAL_VOTING_POWER) {
      const message = `total voting power ${sum} exceeds maximum ${MAX_TOTAL_VOTING_POWER}`
      throw new ValidatorError(VALIDATOR_ERRORS.powerOverflow, message)
    }
  }
  return sum
}

// Sets are immutable, so the values that are computed from a set are cached.
const totals = new WeakMap<readonly Validator[], bigint>()
const hashes = new WeakMap<readonly Validator[], Uint8Array>()
/**
 * The sets whose validators are all valid. These sets are remembered, because the check of a set hashes the key of each
 * validator.
 */
const wellFormed = new WeakSet<readonly Validator[]>()
const indexes = new WeakMap<readonly Validator[], ReadonlyMap<number, readonly number[]>>()

/** Returns the total power of the set. Throws {@link ValidatorError} above {@link MAX_TOTAL_VOTING_POWER}. */
export function totalVotingPower(set: ValidatorSet): bigint {
  let total = totals.get(set.validators)
  if (total === undefined) {
    total = sumVotingPower(set.validators)
    totals.set(set.validators, total)
  }
  return total
}

/** Returns the Merkle root over the keys and powers of the set. */
export function hashValidators(set: ValidatorSet): Uint8Array {
  let hash = hashes.get(set.validators)
  if (hash === undefined) {
    hash = hashFromByteSlices(set.validators.map(validatorBytes))
    hashes.set(set.validators, hash)
  }
  return hash
}

/** A validator, and its index in the set. A commit has the signature of the validator at the same index. */
export interface IndexedValidator {
  readonly index: number
  readonly validator: Validator
}

/** The minimum number of validators of a set for which a lookup in a map is faster than a loop over the addresses. */
const INDEXED_FROM = 24

function addressPrefix(address: Uint8Array): number {
  const at = (i: number): number => address[i] ?? 0
  return (at(0) << 24) | (at(1) << 16) | (at(2) << 8) | at(3)
}

function indexOf(validators: readonly Validator[]): ReadonlyMap<number, readonly number[]> {
  const known = indexes.get(validators)
  if (known !== undefined) return known
  const index = new Map<number, number[]>()
  for (const [i, { address }] of validators.entries()) {
    const prefix = addressPrefix(address)
    const same = index.get(prefix)
    if (same === undefined) index.set(prefix, [i])
    else same.push(i)
  }
  indexes.set(validators, index)
  return index
}

/** Returns the first validator with this address, and its index. */
export function validatorByAddress(set: ValidatorSet, address: Uint8Array): IndexedValidator | undefined {
  const { validators } = set
  if (validators.length < INDEXED_FROM) {
    const index = validators.findIndex((validator) => equalBytes(validator.address, address))
    return index < 0 ? undefined : { index, validator: validators[index] as Validator }
  }
  const same = indexOf(validators).get(addressPrefix(address))
  if (same === undefined) return undefined
  for (let i = 0; i < same.length; i++) {
    const index = same[i] as number
    const validator = validators[index] as Validator
    if (equalBytes(validator.address, address)) return { index, validator }
  }
  return undefined
}

/** Returns true if a validator of the set has this address. */
export function hasAddress(set: ValidatorSet, address: Uint8Array): boolean {
  return validatorByAddress(set, address) !== undefined
}

/** A set without validators. */
export const EMPTY_VALIDATOR_SET: ValidatorSet = { validators: [], proposer: undefined, totalVotingPower: 0n }

/**
 * Copies the cached values of the list `from` to the list `to`. `to` has the validators of `from` after a rotation. The
 * cached values depend on keys, powers and order. They stay valid, because a rotation changes only the priorities.
 */
export function copyCachedValues(from: readonly Validator[], to: readonly Validator[]): void {
  copyCachedValue(totals, from, to)
  copyCachedValue(hashes, from, to)
  copyCachedValue(indexes, from, to)
}

function copyCachedValue<K extends object, V>(cache: WeakMap<K, V>, from: K, to: K): void {
  const value = cache.get(from)
  if (value !== undefined) cache.set(to, value)
}

export function withPriorities(validators: readonly Validator[], priorities: readonly bigint[]): readonly Validator[] {
  return validators.map((validator, i) => ({ ...validator, proposerPriority: priorities[i] as bigint }))
}

/**
 * Returns the proposer that the set stores. If the set stores no proposer, returns the validator with the highest
 * priority. Returns `undefined` for an empty set.
 */
export function proposerOf(set: ValidatorSet): Validator | undefined {
  if (set.proposer !== undefined || set.validators.length === 0) return set.proposer
  return set.validators.reduce((best, validator) => {
    if (validator.proposerPriority !== best.proposerPriority) {
      return validator.proposerPriority > best.proposerPriority ? validator : best
    }
    return compareBytes(validator.address, best.address) < 0 ? validator : best
  })
}

/**
 * Returns the reference's hash of the priorities of a set. It shows whether two sets of the same validators also have
 * the same priorities. The hash of an empty set is empty. The reference intends to hash all priorities as varints, but
 * writes each varint over the previous one. This function does the same.
 */
export function hashProposerPriorities(set: ValidatorSet): Uint8Array {
  if (set.validators.length === 0) return new Uint8Array(0)
  const bytes = new Uint8Array(10 * set.validators.length)
  let total = 0
  for (const { proposerPriority } of set.validators) {
    let rest = BigInt.asUintN(64, (proposerPriority << 1n) ^ (proposerPriority >> 63n))
    let at = 0
    for (; rest >= 0x80n; rest >>= 7n) bytes[at++] = Number(rest & 0x7fn) | 0x80
    bytes[at++] = Number(rest)
    total += at
  }
  return sha256(bytes.subarray(0, total))
}

/** Throws {@link ValidatorError} on an empty set, an invalid member, or a proposer that is not in the set. */
export function validateValidatorSetBasic(set: ValidatorSet | undefined): void {
  if (set === undefined || set.validators.length === 0) {
    throw new ValidatorError(VALIDATOR_ERRORS.emptySet, 'validator set is nil or empty')
  }
  if (!wellFormed.has(set.validators)) {
    for (const [index, validator] of set.validators.entries()) {
      wrapError(`invalid validator #${index}`, () => validateValidatorBasic(validator))
    }
  }
  wrapError('proposer failed validate basic, error', () => validateValidatorBasic(set.proposer))
  if (!set.validators.some((validator) => equalBytes(validator.address, (set.proposer as Validator).address))) {
    throw new ValidatorError(VALIDATOR_ERRORS.proposerNotInSet, 'proposer not in validator set')
  }
}

function wrapError(prefix: string, check: () => void): void {
  try {
    check()
  } catch (cause) {
    throw new ValidatorError(VALIDATOR_ERRORS.set, `${prefix}: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Makes a set from validators in any order, and keeps their priorities. A light client makes a set in this way from RPC
 * answers.
 */
export function validatorSetFromExisting(validators: readonly Validator[]): ValidatorSet {
  if (validators.length === 0) throw new ValidatorError(VALIDATOR_ERRORS.emptySet, 'validator set is empty')
  wrapError("can't create validator set", () => validators.forEach(validateValidatorBasic))
  const total = sumVotingPower(validators)
  // The last proposer is usually the validator with the lowest priority, because each step lowers the priority of its
  // proposer. If several validators have the lowest priority, the one with the highest address is taken.
  const proposer = validators.reduce((last, validator) => {
    if (validator.proposerPriority !== last.proposerPriority) {
      return validator.proposerPriority < last.proposerPriority ? validator : last
    }
    return compareBytes(validator.address, last.address) > 0 ? validator : last
  })
  const sorted = [...validators].sort(compareByPower)
  wellFormed.add(sorted)
  return { validators: sorted, proposer, totalVotingPower: total }
}
