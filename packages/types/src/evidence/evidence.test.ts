import { describe, expect, test } from 'vitest'
import { MisbehaviorType } from '../abci/index.ts'
import { utf8ToBytes } from '../bytes/index.ts'
import { generateEd25519, publicKeyOf, sha256, sign } from '../crypto/index.ts'
import { createValidator, createValidatorSet } from '../validators/index.ts'
import { SignedMsgType, type Vote, voteSignBytes } from '../vote/index.ts'
import {
  duplicateVoteEvidence,
  EVIDENCE_ERRORS,
  evidenceHeight,
  evidenceListSize,
  evidenceTime,
  evidenceToMisbehavior,
  formatEvidence,
  hasEvidence,
  hashEvidence,
  makeDuplicateVoteEvidence,
  validateEvidenceBasic,
} from './index.ts'

const key = generateEd25519()
const member = createValidator(publicKeyOf(key), 7n)
const validators = createValidatorSet([member, createValidator(publicKeyOf(generateEd25519()), 3n)])

function voteFor(block: string): Vote {
  const hash = sha256(utf8ToBytes(block))
  const vote: Vote = {
    type: SignedMsgType.precommit,
    height: 4,
    round: 1,
    blockId: { hash, partSetHeader: { total: 1, hash } },
    timestamp: 5n,
    validatorAddress: member.address,
    validatorIndex: 0,
    signature: new Uint8Array(0),
    extension: new Uint8Array(0),
    extensionSignature: new Uint8Array(0),
  }
  return { ...vote, signature: sign(key, voteSignBytes('c', vote)) }
}

describe('duplicate votes', () => {
  const context = { blockTime: 9n, validators }
  const [one, other] = [voteFor('one'), voteFor('other')]

  test('default: the order of the two votes does not matter', () => {
    const value = makeDuplicateVoteEvidence(one, other, context)
    expect(makeDuplicateVoteEvidence(other, one, context)).toEqual(value)
    expect(value).toMatchObject({ totalVotingPower: 10n, validatorPower: 7n, timestamp: 9n })
    const evidence = duplicateVoteEvidence(value)
    validateEvidenceBasic(evidence)
    expect(evidenceHeight(evidence)).toBe(4)
    expect(evidenceTime(evidence)).toBe(9n)
    expect(hasEvidence([evidence], evidence)).toBe(true)
    expect(hasEvidence([], evidence)).toBe(false)
    expect(evidenceListSize([])).toBe(0)
    expect(evidenceListSize([evidence])).toBeGreaterThan(300)
    expect(hashEvidence([])).toEqual(sha256(new Uint8Array(0)))
    expect(evidenceToMisbehavior(evidence)).toEqual([
      {
        type: MisbehaviorType.duplicateVote,
        validator: { address: member.address, power: 7n },
        height: 4,
        time: 9n,
        totalVotingPower: 10n,
      },
    ])
    expect(formatEvidence(evidence)).toMatch(/^DuplicateVoteEvidence{VoteA: Vote{0:[0-9A-F]{12} 4\/01\/SIGNED_MSG_TYPE/)
  })

  test('error: an unknown validator, a missing vote and an empty message are refused', () => {
    const stranger = { ...one, validatorAddress: new Uint8Array(20) }
    expect(() => makeDuplicateVoteEvidence(stranger, other, context)).toThrow(
      'validator 0000000000000000000000000000000000000000 not in validator set',
    )
    const value = makeDuplicateVoteEvidence(one, other, context)
    expect(() => validateEvidenceBasic(duplicateVoteEvidence({ ...value, voteA: undefined }))).toThrow(
      /^one or both of the votes are empty nil-Vote, Vote{/,
    )
    const untyped = { ...value, voteA: { ...one, type: 0 as never }, voteB: undefined }
    expect(() => validateEvidenceBasic(duplicateVoteEvidence(untyped))).toThrow(
      'one or both of the votes are empty %!v(PANIC=String method: Unknown vote type), nil-Vote',
    )
    expect(() => validateEvidenceBasic({ sum: undefined })).toThrow(
      expect.objectContaining({ code: EVIDENCE_ERRORS.invalid }),
    )
  })
})
