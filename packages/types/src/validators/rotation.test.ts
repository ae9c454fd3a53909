import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateEd25519, publicKeyOf } from '../crypto/index.ts'
import {
  copyIncrementProposerPriority,
  createSetRotation,
  createValidator,
  createValidatorSet,
  EMPTY_VALIDATOR_SET,
  MAX_TOTAL_VOTING_POWER,
  type ValidatorSet,
} from './index.ts'

const keys = Array.from({ length: 8 }, (_, i) => publicKeyOf(generateEd25519(new Uint8Array(32).fill(i + 1))))
const setOf = (powers: readonly bigint[]): ValidatorSet =>
  createValidatorSet(powers.map((power, i) => createValidator(keys[i] as (typeof keys)[number], power)))

/** Powers that the type `number` represents exactly, and powers that need the type `bigint`. */
const powers = fc.oneof(
  fc.array(fc.bigInt({ min: 1n, max: 1000n }), { minLength: 1, maxLength: 8 }),
  fc.array(fc.bigInt({ min: 2n ** 50n, max: MAX_TOTAL_VOTING_POWER / 8n }), { minLength: 1, maxLength: 8 }),
)

test('behavior: a rotation in pieces gives the same set as one long rotation', () => {
  fc.assert(
    fc.property(powers, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }), (given, pieces) => {
      const set = setOf(given)
      const rotations = [createSetRotation(set)]
      for (const [i, steps] of pieces.entries()) {
        const rotation = rotations[i] as (typeof rotations)[number]
        rotation.advance(steps)
        rotations.push(createSetRotation(set, rotation.state()))
      }
      const total = pieces.reduce((sum, steps) => sum + steps)
      const whole = copyIncrementProposerPriority(set, total)
      const last = rotations[pieces.length] as (typeof rotations)[number]
      expect(last.steps()).toBe(total)
      expect(last.result()).toEqual(whole)
      expect(rotations[pieces.length - 1]?.result()).toEqual(whole)
      // Each rotation except the first began from the state of the previous rotation, and must not change this state.
      // One more step of the first rotation shows that its state did not change.
      rotations[0]?.advance(1)
      expect(rotations[0]?.result()).toEqual(copyIncrementProposerPriority(set, (pieces[0] as number) + 1))
    }),
  )
})

test('error: refuses an empty validator set, and a result before the first step', () => {
  expect(() => createSetRotation(EMPTY_VALIDATOR_SET)).toThrow('empty validator set')
  expect(() => createSetRotation(setOf([1n, 2n])).result()).toThrow('at least one step')
})
