import { bitSetFrom, Proposal, parseBitSet, SignedMsgType, ZERO_BLOCK_ID } from '@org/types'
import { formatTime } from '@org/types/time'
import { describe, expect, test } from 'vitest'
import { PeerRoundState } from './peer-round-state.ts'
import type { VoteSource } from './vote-source.ts'

const { prevote, precommit } = SignedMsgType
const HASH = new Uint8Array(32).fill(1)
const blockId = { hash: HASH, partSetHeader: { total: 3, hash: HASH } }
const step = (height: number, round: number, number: number, lastCommitRound = 0) => ({
  height,
  round,
  step: number,
  secondsSinceStartTime: 2,
  lastCommitRound,
})

function at(height: number, round = 0, number = 1): PeerRoundState {
  const state = new PeerRoundState()
  state.applyNewRoundStep(step(height, round, number), 10_000_000_000n)
  return state
}

function source(place: Partial<VoteSource>, text = 'xx_x'): VoteSource {
  const bits = parseBitSet(text) ?? bitSetFrom(0, () => false)
  return {
    height: 5,
    round: 0,
    type: prevote,
    size: bits.size,
    isCommit: false,
    bits,
    vote: () => undefined,
    ...place,
  }
}

const words = (text: string) => (parseBitSet(text) ?? bitSetFrom(0, () => false)).toWords()

describe('steps', () => {
  test('default: a later step is accepted, with its start time', () => {
    const state = at(5, 1, 3)
    expect(state.startTime).toBe(8_000_000_000n)
    for (const old of [step(4, 9, 8), step(5, 0, 8), step(5, 1, 2), step(5, 1, 3)]) {
      expect(state.applyNewRoundStep(old, 0n)).toBe(false)
    }
    expect(state.applyNewRoundStep(step(5, 1, 4), 0n)).toBe(true)
    expect([state.height, state.round, state.step]).toEqual([5, 1, 4])
  })

  test('behavior: any number of seconds since the start gives a time that a text can show', () => {
    const now = 1_800_000_000_000_000_000n
    for (const secondsSinceStartTime of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 300_000_000_000]) {
      const state = new PeerRoundState()
      state.applyNewRoundStep({ ...step(5, 1, 3), secondsSinceStartTime }, now)
      // The duration wraps at 2^63 ns (292 years), as in the reference.
      expect(formatTime(state.startTime)).toMatch(/^(17|18|19|20|21|22|23)\d\d-/)
    }
  })

  test('behavior: a peer that prevoted counts as having the block, unless it reported missing parts in this round, also if it decides', () => {
    const state = at(5, 0, 4)
    expect(state.mayHaveBlock).toBe(true)
    const blockParts = { ...words('___') }
    state.applyNewValidBlock({
      height: 5,
      round: 0,
      blockPartSetHeader: blockId.partSetHeader,
      blockParts,
      isCommit: true,
    })
    expect(state.mayHaveBlock).toBe(false)
    // The peer has reported that it lacks parts. So this node must not conclude from the peer's later steps that the
    // peer has the whole block.
    for (const later of [6, 8]) {
      state.applyNewRoundStep(step(5, 0, later), 0n)
      expect(state.mayHaveBlock).toBe(false)
    }
    state.applyNewRoundStep(step(5, 1, 4), 0n)
    expect(state.mayHaveBlock).toBe(true)
  })

  test('behavior: a new height forgets the proposal and the votes, but keeps the precommits of the round that decided', () => {
    const state = at(5)
    state.setHasProposal(Proposal.create({ height: 5, round: 0, polRound: -1, blockId }))
    state.ensureVoteBits(5, 4)
    state.setHasVote({ height: 5, round: 0, type: precommit }, 2)
    const { precommits } = state
    state.applyNewRoundStep(step(6, 0, 1, 0), 0n)
    expect([state.proposal, state.proposalParts, state.prevotes, state.precommits]).toEqual([
      false,
      undefined,
      undefined,
      undefined,
    ])
    expect(state.lastCommit).toBe(precommits)
    state.ensureVoteBits(6, 4)
    state.applyNewRoundStep(step(7, 0, 1, 3), 0n)
    // The recorded votes are of round 0, but the last height was decided in round 3. So this node has no record of the
    // peer's precommits of round 3.
    expect([state.lastCommitRound, state.lastCommit]).toEqual([3, undefined])
  })

  test('behavior: the precommits of a commit that a peer has stay recorded when the peer reaches the round of the commit', () => {
    const state = at(5)
    expect(state.lacks(source({ round: 2, type: precommit, isCommit: true }))?.toString()).toBe('xx_x')
    state.setHasVote({ height: 5, round: 2, type: precommit }, 1)
    state.applyNewRoundStep(step(5, 2, 3), 0n)
    expect(state.precommits?.toString()).toBe('_x__')
  })
})

describe('votes', () => {
  test('default: returns the votes of its round that the peer lacks', () => {
    const state = at(5)
    expect(state.lacks(source({}))?.toString()).toBe('xx_x')
    state.setHasVote({ height: 5, round: 0, type: prevote }, 0)
    expect(state.lacks(source({}))?.toString()).toBe('_x_x')
    expect(state.lacks(source({ round: 1 }))).toBe(undefined)
    expect(state.lacks(source({ height: 6 }))).toBe(undefined)
    expect(state.lacks(source({ height: 4, type: precommit }))?.toString()).toBe('xx_x')
  })

  test("behavior: returns also the prevotes of the proposal's POL round", () => {
    const state = at(5, 2)
    state.setHasProposal(Proposal.create({ height: 5, round: 2, polRound: 1, blockId }))
    expect(state.lacks(source({ round: 1 }))?.toString()).toBe('xx_x')
    state.applyProposalPol({ height: 5, proposalPolRound: 1, proposalPol: words('x__x') })
    expect(state.lacks(source({ round: 1 }))?.toString()).toBe('_x__')
  })

  test('behavior: each sent vote is recorded, also if the peer reported a POL with too few or too many bits', () => {
    for (const text of ['x', 'x_________']) {
      const state = at(5, 2)
      state.setHasProposal(Proposal.create({ height: 5, round: 2, polRound: 1, blockId }))
      state.applyProposalPol({ height: 5, proposalPolRound: 1, proposalPol: words(text) })
      expect(state.lacks(source({ round: 1 }))?.toString()).toBe('_x_x')
      for (const index of [1, 3]) state.setHasVote({ height: 5, round: 1, type: prevote }, index)
      expect([state.lacks(source({ round: 1 })), state.proposalPol?.size]).toEqual([undefined, 4])
    }
  })

  test('behavior: reported bits replace the record for that block, and leave other votes unchanged', () => {
    const state = at(5)
    state.ensureVoteBits(5, 4)
    for (const index of [0, 1]) state.setHasVote({ height: 5, round: 0, type: prevote }, index)
    const reported = { height: 5, round: 0, type: prevote, blockId: ZERO_BLOCK_ID, votes: words('__x_') }
    state.applyVoteSetBits(reported, parseBitSet('_xx_'))
    expect(state.prevotes?.toString()).toBe('x_x_')
    state.applyVoteSetBits({ ...reported, votes: words('___xxxxxxx') }, undefined)
    expect(state.prevotes?.toString()).toBe('___x')
  })

  test('behavior: messages with another height, an invalid index or an unknown type change nothing', () => {
    const state = at(5)
    state.ensureVoteBits(5, 4)
    state.applyHasVote({ height: 4, round: 0, type: prevote, index: 1 })
    state.applyHasVote({ height: 5, round: 0, type: prevote, index: 4 })
    state.applyHasVote({ height: 5, round: 7, type: prevote, index: 1 })
    expect(state.prevotes?.toString()).toBe('____')
    state.applyHasVote({ height: 5, round: 0, type: prevote, index: 3 })
    expect(state.prevotes?.toString()).toBe('___x')
  })
})

describe('parts', () => {
  test('default: a proposal makes room for its parts', () => {
    const state = at(5)
    state.setHasPart(5, 0, 1)
    state.setHasProposal(Proposal.create({ height: 5, round: 0, polRound: -1, blockId }))
    state.setHasPart(5, 0, 1)
    state.setHasPart(5, 1, 2)
    expect(state.proposalParts?.toString()).toBe('_x_')
  })

  test('behavior: a valid block of the round, or a committed block of any round, replaces the recorded parts', () => {
    const state = at(5)
    const valid = (round: number, isCommit: boolean, text: string) =>
      state.applyNewValidBlock({
        height: 5,
        round,
        blockPartSetHeader: { total: text.length, hash: HASH },
        blockParts: words(text),
        isCommit,
      })
    valid(1, false, 'xx')
    expect(state.proposalParts).toBe(undefined)
    valid(0, false, 'x_')
    expect(state.proposalParts?.toString()).toBe('x_')
    valid(3, true, '_x__')
    expect([state.proposalParts?.toString(), state.proposalPartSetHeader.total]).toEqual(['_x__', 4])
  })
})
