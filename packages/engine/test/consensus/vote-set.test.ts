import {
  type BlockId,
  BlockIdFlag,
  equalBlockIds,
  extendedCommitToCommit,
  SignedMsgType,
  Vote,
  validatorByAddress,
  voteSignBytes,
  ZERO_BLOCK_ID,
} from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { addressOf, type PrivateKey, publicKeyOf, sha256, sign, verifySignature } from '@org/types/crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MACHINE_ERRORS } from '../../src/consensus/machine/index.ts'
import {
  hasMajority,
  type MajorityVotes,
  makeExtendedCommit,
  VoteSet,
  voteSetFromCommit,
} from '../../src/consensus/machine/votes/index.ts'
import { makeFirstState } from '../support/first-state.ts'

const CHAIN_ID = 'votes'
const type = SignedMsgType.precommit

function blockId(name: string): BlockId {
  const hash = sha256(utf8ToBytes(name))
  return { hash, partSetHeader: { total: 1, hash } }
}
const [A, B, NIL] = [blockId('a'), blockId('b'), ZERO_BLOCK_ID]

/** Creates a set for precommits of height 1. `vote(i, id)` is signed by the validator whose power is `powers[i]`. */
function createVotes(powers: readonly bigint[], verify = verifySignature) {
  const { keys, state } = makeFirstState({ chainId: CHAIN_ID, time: 0n, powers })
  const { validators } = state
  const common = { chainId: CHAIN_ID, validators, verify }
  const set = new VoteSet({ ...common, height: 1, round: 0, type, extended: false })

  function vote(who: number, id: BlockId): Vote {
    const key = keys[who] as PrivateKey
    const validatorAddress = addressOf(publicKeyOf(key))
    const unsigned = Vote.create({
      type,
      height: 1,
      round: 0,
      blockId: id,
      timestamp: 1_000_000_000n,
      validatorAddress,
      validatorIndex: validatorByAddress(validators, validatorAddress)?.index ?? -1,
    })
    return { ...unsigned, signature: sign(key, voteSignBytes(CHAIN_ID, unsigned)) }
  }
  const add = (who: number, id: BlockId) => set.add(vote(who, id))
  return { set, vote, add, common }
}

describe('a majority', () => {
  it('default: exactly two thirds are not a majority', () => {
    const { set, add } = createVotes([10n, 10n, 10n])
    add(0, A)
    add(1, A)
    expect([set.majority, set.hasTwoThirdsAny]).toEqual([undefined, false])
    add(2, A)
    expect([set.majority, set.hasTwoThirdsAny, set.hasAll]).toEqual([A, true, true])
  })

  it('behavior: a majority is more than two thirds of the power, for any powers', () => {
    const ids = [A, B, NIL]
    const each = fc.record({ power: fc.bigInt({ min: 1n, max: 9n }), says: fc.constantFrom(0, 1, 2, undefined) })
    fc.assert(
      fc.property(fc.array(each, { minLength: 1, maxLength: 7 }), (voters) => {
        // This test accepts every signature, because it tests only the power.
        const { set, add } = createVotes(
          voters.map(({ power }) => power),
          () => true,
        )
        const total = voters.reduce((sum, { power }) => sum + power, 0n)
        const sums = [0n, 0n, 0n]
        for (const [who, { power, says }] of voters.entries()) {
          if (says === undefined) continue
          expect(add(who, ids[says] as BlockId).kind).toBe('added')
          sums[says] = (sums[says] as bigint) + power
        }
        const most = sums.findIndex((sum) => 3n * sum > 2n * total)
        const voted = sums.reduce((sum, one) => sum + one, 0n)
        expect(set.majority).toEqual(ids[most])
        expect([set.hasTwoThirdsAny, set.hasAll]).toEqual([3n * voted > 2n * total, voted === total])
      }),
      { numRuns: 200 },
    )
  })

  it('behavior: the first majority stays, even if validators later sign another block too', () => {
    const { set, add } = createVotes([10n, 10n, 10n, 10n])
    for (const who of [0, 1, 2]) add(who, A)
    set.setPeerMaj23('p', B)
    for (const who of [0, 1, 2, 3]) add(who, B)
    expect(set.majority).toEqual(A)
  })

  it("behavior: the votes for the majority's block are kept", () => {
    const { set, add, vote } = createVotes([10n, 10n, 10n, 10n])
    const claimed = vote(0, A)
    add(0, NIL)
    set.setPeerMaj23('p', A)
    expect(set.add(claimed)).toMatchObject({ kind: 'conflict', added: true })
    expect(equalBlockIds(set.vote(claimed.validatorIndex)?.blockId ?? B, NIL)).toBe(true)
    // A peer claimed a majority for block A, so the set has already counted this vote for A. The vote is now a
    // duplicate, and its power does not count a second time.
    expect(set.add(claimed).kind).toBe('duplicate')
    add(1, A)
    expect(set.majority).toBeUndefined()
    add(2, A)
    expect(set.majority).toEqual(A)
    expect(set.vote(claimed.validatorIndex)).toEqual(claimed)
    // A late vote for the block of the majority also replaces the first vote of its validator, even if no peer has
    // claimed a majority.
    const other = createVotes([10n, 10n, 10n, 10n])
    other.add(0, NIL)
    for (const who of [1, 2, 3]) other.add(who, A)
    const late = other.vote(0, A)
    expect(other.set.add(late)).toMatchObject({ kind: 'conflict', added: false })
    expect(other.set.vote(late.validatorIndex)).toEqual(late)
  })

  it('behavior: a peer may claim one majority, and a conflicting vote for the claimed block counts', () => {
    const { set, add } = createVotes([10n, 10n, 10n, 10n])
    expect([set.setPeerMaj23('p', A), set.setPeerMaj23('p', A), set.setPeerMaj23('p', B)]).toEqual([true, true, false])
    add(0, NIL)
    expect(add(0, B)).toMatchObject({ kind: 'conflict', added: false })
    expect(set.setPeerMaj23('q', B)).toBe(true)
    expect(add(0, B)).toMatchObject({ kind: 'conflict', added: true })
  })
})

function decided(set: VoteSet): MajorityVotes {
  if (!hasMajority(set)) throw new Error('no block has +2/3')
  return set
}

describe('a commit', () => {
  it('default: a vote for another block counts as absent, a vote for nil counts as nil', () => {
    const { set, add, vote, common } = createVotes([10n, 10n, 10n, 10n, 1n, 1n, 1n])
    for (const who of [0, 1, 2]) add(who, A)
    add(4, B)
    add(5, NIL)
    const commit = makeExtendedCommit(decided(set))
    const flagOf = (who: number) => commit.extendedSignatures[vote(who, A).validatorIndex]?.blockIdFlag
    expect([0, 1, 2, 3, 4, 5, 6].map(flagOf)).toEqual([
      ...new Array(3).fill(BlockIdFlag.commit),
      BlockIdFlag.absent,
      BlockIdFlag.absent,
      BlockIdFlag.nil,
      BlockIdFlag.absent,
    ])
    expect([commit.blockId, commit.height, commit.round]).toEqual([A, 1, 0])
    const again = voteSetFromCommit({ kind: 'plain', commit: extendedCommitToCommit(commit) }, common)
    expect([again.majority, again.power.voted]).toEqual([A, 31n])
  })

  it('error: refuses a stored commit with a wrong signature, or with too few signatures', () => {
    const { set, add, common } = createVotes([10n, 10n, 10n, 10n])
    for (const who of [0, 1, 2, 3]) add(who, A)
    const commit = extendedCommitToCommit(makeExtendedCommit(decided(set)))
    const [first, second, ...others] = commit.signatures
    if (first === undefined || second === undefined) throw new Error('signatures')
    const absent = { ...first, blockIdFlag: BlockIdFlag.absent }
    for (const signatures of [
      [{ ...first, signature: second.signature }, second, ...others],
      [absent, { ...second, ...absent }, ...others],
    ]) {
      const stored = { kind: 'plain', commit: { ...commit, signatures } } as const
      expect(() => voteSetFromCommit(stored, common)).toThrow(
        expect.objectContaining({ code: MACHINE_ERRORS.lastCommit }),
      )
    }
  })
})
