import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { base64ToBytes, bytesToHex, utf8ToBytes } from '../../src/bytes/index.ts'
import { ed25519FromSecret, publicKeyOf, sha256 } from '../../src/crypto/index.ts'
import {
  copyIncrementProposerPriority,
  createValidator,
  createValidatorSet,
  hashProposerPriorities,
  hashValidators,
  proposerOf,
  updateWithChangeSet,
  type Validator,
  type ValidatorSet,
} from '../../src/validators/index.ts'

type Change = readonly [key: number, power: string]
interface Scenario {
  readonly name: string
  readonly init: readonly Change[]
  readonly error?: string
  readonly steps: readonly {
    readonly changes?: readonly Change[]
    readonly times: number
    readonly count: number
    readonly proposers: string
    readonly priorities: string
    readonly hash: string
    readonly setHash: string
    readonly error?: string
  }[]
}

const scenarios = readFileSync(new URL('rotation.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Scenario)

const made = new Map<number, Validator>()
function validator([key, power]: Change): Validator {
  let known = made.get(key)
  if (known === undefined) {
    known = createValidator(publicKeyOf(ed25519FromSecret(utf8ToBytes(`validator ${key}`))), 0n)
    made.set(key, known)
  }
  return { ...known, votingPower: BigInt(power) }
}

function messageOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const hex = (bytes: Uint8Array): string => bytesToHex(bytes).toLowerCase()

describe('validator sets are rotated as in the reference', () => {
  test.each(scenarios)('default: $name', ({ init, error, steps }) => {
    const first = init.map(validator)
    expect(messageOf(() => createValidatorSet(first))).toBe(error)
    if (error !== undefined) return
    let set: ValidatorSet = createValidatorSet(first)
    for (const step of steps) {
      const changes = (step.changes ?? []).map(validator)
      expect(messageOf(() => updateWithChangeSet(set, changes))).toBe(step.error)
      if (step.error === undefined) set = updateWithChangeSet(set, changes)
      const proposers: string[] = []
      for (let i = 0; i < step.count; i++) {
        set = copyIncrementProposerPriority(set, step.times)
        proposers.push(hex(proposerOf(set)?.address as Uint8Array))
      }
      const expected = [...(base64ToBytes(step.proposers) as Uint8Array)].map((key) =>
        hex(validator([key, '0']).address),
      )
      expect(proposers).toEqual(expected)
      const priorities = set.validators.map((v) => v.proposerPriority).join(',')
      expect(hex(sha256(utf8ToBytes(priorities))).slice(0, 16)).toBe(step.priorities)
      expect(hex(hashProposerPriorities(set))).toBe(step.hash)
      expect(hex(hashValidators(set))).toBe(step.setHash)
    }
  })
})
