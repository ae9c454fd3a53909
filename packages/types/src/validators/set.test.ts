import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateEd25519, publicKeyOf } from '../crypto/index.ts'
import {
  copyIncrementProposerPriority,
  createValidator,
  createValidatorSet,
  EMPTY_VALIDATOR_SET,
  hashValidators,
  MAX_TOTAL_VOTING_POWER,
  proposerOf,
  totalVotingPower,
  updateWithChangeSet,
  VALIDATOR_ERRORS,
  type Validator,
  ValidatorSet,
  validateValidatorSetBasic,
  validatorByAddress,
  validatorSetFromExisting,
} from './index.ts'
import { center, rescale } from './priority.ts'

const keys = Array.from({ length: 60 }, (_, i) => publicKeyOf(generateEd25519(new Uint8Array(32).fill(i + 1))))
const validator = (i: number, power: bigint): Validator => createValidator(keys[i] as (typeof keys)[number], power)
const setOf = (...powers: bigint[]): ValidatorSet => createValidatorSet(powers.map((power, i) => validator(i, power)))
const power = fc.bigInt({ min: 1n, max: MAX_TOTAL_VOTING_POWER / 64n })

describe('validator set', () => {
  test('default: a new set is sorted by power and rotated once, and finds validators by address', () => {
    for (const size of [1, 5, 23, 24, 60]) {
      const set = setOf(...Array.from({ length: size }, (_, i) => BigInt((i * 7) % 13) + 1n))
      validateValidatorSetBasic(set)
      expect(set.totalVotingPower).toBe(totalVotingPower(set))
      set.validators.forEach((member, index) => {
        expect(validatorByAddress(set, member.address)).toEqual({ index, validator: member })
      })
      expect(validatorByAddress(set, new Uint8Array(20))).toBeUndefined()
      expect(validatorByAddress(set, new Uint8Array(0))).toBeUndefined()
    }
  })

  test('behavior: a change makes a new set, and each set has its own cached values', () => {
    const set = setOf(5n, 3n, 2n)
    const before = ValidatorSet.encode(set)
    const hash = hashValidators(set)
    const rotated = copyIncrementProposerPriority(set, 1)
    const changed = updateWithChangeSet(set, [validator(3, 7n), validator(0, 0n)])
    expect(ValidatorSet.encode(set)).toEqual(before)
    expect(hashValidators(rotated)).toEqual(hash)
    expect(hashValidators(changed)).not.toEqual(hash)
    expect(totalVotingPower(changed)).toBe(12n)
    expect(updateWithChangeSet(set, [])).toBe(set)
  })

  test('behavior: each validator proposes as often as its power requires', () => {
    let set = setOf(1n, 2n, 3n, 4n)
    const counts = new Map<bigint, number>()
    for (let i = 0; i < 1000; i++) {
      set = copyIncrementProposerPriority(set, 1)
      const { votingPower } = proposerOf(set) as Validator
      counts.set(votingPower, (counts.get(votingPower) ?? 0) + 1)
    }
    expect([1n, 2n, 3n, 4n].map((p) => counts.get(p))).toEqual([100, 200, 300, 400])
  })

  test('behavior: rotations and changes keep priorities inside the window, around 0', () => {
    fc.assert(
      fc.property(
        fc.array(power, { minLength: 1, maxLength: 12 }),
        fc.array(fc.record({ i: fc.nat(19), power, times: fc.integer({ min: 1, max: 20 }) }), { maxLength: 12 }),
        (powers, changes) => {
          let set = setOf(...powers)
          for (const change of changes) {
            set = updateWithChangeSet(set, [validator(change.i, change.power)])
            set = copyIncrementProposerPriority(set, change.times)
            const priorities = set.validators.map((v) => v.proposerPriority)
            const [sum, total] = [priorities.reduce((a, b) => a + b, 0n), totalVotingPower(set)]
            for (const a of priorities) for (const b of priorities) expect(a - b <= 3n * total).toBe(true)
            expect(sum < BigInt(priorities.length) && sum > -BigInt(priorities.length)).toBe(true)
            validateValidatorSetBasic(set)
          }
        },
      ),
    )
  })

  test('behavior: the rotation with numbers gives the same result as the one with bigints', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 2n ** 40n }), { minLength: 1, maxLength: 8 }), (powers) => {
        // The powers of `large` are 65,536 times those of `small`, so in many runs only the rotation of `large` needs
        // bigints. Both sets must have the same proposers.
        const factor = 2n ** 16n
        let [small, large] = [setOf(...powers), setOf(...powers.map((p) => p * factor))]
        for (let i = 0; i < 20; i++) {
          small = copyIncrementProposerPriority(small, 3)
          large = copyIncrementProposerPriority(large, 3)
          expect(large.proposer?.address).toEqual(small.proposer?.address)
        }
      }),
    )
  })

  test('behavior: priorities are rescaled and centred as in the reference', () => {
    expect(rescale([-20n, 0n, 20n], 10n)).toEqual([-5n, 0n, 5n])
    expect(rescale([-5n, 5n], 10n)).toEqual([-5n, 5n])
    expect(rescale([5n], 0n)).toEqual([5n])
    // Go rounds a quotient towards 0: -7 / 2 is -3.
    expect(rescale([-7n, 4n], 10n)).toEqual([-3n, 2n])
    expect(center([1n, 2n, 4n])).toEqual([-1n, 0n, 2n])
    expect(center([-1n, -2n, -4n])).toEqual([2n, 1n, -1n])
    expect(center([2n ** 63n - 1n, -(2n ** 63n)])).toEqual([2n ** 63n - 1n, -(2n ** 63n) + 1n])
  })

  test('behavior: a set that is made from validators keeps their priorities and names the last proposer', () => {
    const set = copyIncrementProposerPriority(setOf(5n, 3n, 2n), 4)
    const again = validatorSetFromExisting([...set.validators].reverse())
    expect(ValidatorSet.encode(again)).toEqual(ValidatorSet.encode(set))
  })

  test('error: an empty set, an unknown proposer and a rotation without a step are refused', () => {
    const set = setOf(5n, 3n)
    expect(createValidatorSet([])).toEqual(EMPTY_VALIDATOR_SET)
    expect(() => copyIncrementProposerPriority(EMPTY_VALIDATOR_SET, 1)).toThrow('empty validator set')
    expect(() => copyIncrementProposerPriority(set, 0)).toThrow(/non-positive times/)
    expect(() => validateValidatorSetBasic(EMPTY_VALIDATOR_SET)).toThrow('validator set is nil or empty')
    expect(() => validateValidatorSetBasic({ ...set, proposer: validator(9, 1n) })).toThrow(
      expect.objectContaining({ code: VALIDATOR_ERRORS.proposerNotInSet }),
    )
    expect(() => validateValidatorSetBasic({ ...set, proposer: undefined })).toThrow(/nil validator/)
    expect(() => validatorSetFromExisting([])).toThrow('validator set is empty')
  })
})
