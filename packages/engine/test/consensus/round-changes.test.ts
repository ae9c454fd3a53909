import { SignedMsgType } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { RoundStep, VOTE_REFUSALS } from '../../src/consensus/machine/index.ts'
import { createScenario, type Scenario } from './scenario.ts'
import type { VirtualBlock, VirtualNode } from './virtual-network.ts'

const { prevote, precommit } = SignedMsgType

function sendVote(s: Scenario, who: number, fields: Parameters<VirtualNode['vote']>[0]): void {
  const vote = (s.others[who] as VirtualNode).vote({ height: 1, ...fields })
  s.me.receive({ kind: 'vote', vote }, `peer${who}`)
}

function stepNames(s: Scenario): string[] {
  return s.me.effects.flatMap((effect) => (effect.type === 'newStep' ? [`${effect.round}/${effect.step}`] : []))
}

/**
 * Makes the machine lock on a block in round 0, and takes the machine to round 1. In round 0 there are +2/3 precommits,
 * but not all for the same block.
 */
function lockInRound0(s: Scenario): VirtualBlock {
  const block = s.network.block(['a'])
  s.propose(block)
  s.prevote(block, block, block)
  s.precommit(undefined, block)
  expect(s.state.triggeredTimeoutPrecommit).toBe(true)
  s.timeOut()
  expect(s.state.round).toBe(1)
  return block
}

describe('votes that come before the proposal', () => {
  it('default: a polka for nil of this round does not end the wait for the proposal', () => {
    const s = createScenario()
    s.prevote(undefined, undefined, undefined)
    expect(s.state.step).toBe(RoundStep.propose)
    expect(s.me.sent).toEqual([])
    s.timeOut()
    expect(s.eventTypes()).toContain('TimeoutPropose')
    s.expectPrevote(undefined)
    s.expectPrecommit(undefined)
  })

  it("behavior: this node's own prevote, which peers sent back after a crash, ends the step like a new one", () => {
    const s = createScenario()
    const vote = s.me.vote({ type: prevote, height: 1, round: 0 })
    s.me.receive({ kind: 'vote', vote }, 'peer0')
    s.prevote(undefined, undefined)
    expect(s.state.step).toBe(RoundStep.propose)
    s.timeOut()
    s.expectPrevote(undefined)
    s.expectPrecommit(undefined)
  })

  it('behavior: without a polka the own prevote from peers leads to the wait for prevotes', () => {
    const s = createScenario()
    const vote = s.me.vote({ type: prevote, height: 1, round: 0 })
    s.me.receive({ kind: 'vote', vote }, 'peer0')
    s.prevote(s.network.block(['a']), undefined)
    s.timeOut()
    expect(s.state.step).toBe(RoundStep.prevoteWait)
    s.timeOut()
    s.expectPrecommit(undefined)
  })

  it('behavior: if the signer refuses the prevote and all other prevotes are present, a timeout ends the step', () => {
    const s = createScenario({ app: { signs: ({ type }) => type !== prevote } })
    s.prevote(undefined, undefined, undefined)
    s.timeOut()
    expect([s.myVote(prevote), s.state.step]).toEqual([undefined, RoundStep.prevoteWait])
    s.timeOut()
    s.expectPrecommit(undefined)
  })

  it('behavior: if the signer refuses the prevote, the step does not end before +2/3 have prevoted', () => {
    const s = createScenario({ app: { signs: ({ type }) => type !== prevote } })
    s.prevote(undefined, undefined)
    s.timeOut()
    expect(s.state.step).toBe(RoundStep.prevote)
  })

  it('behavior: a polka for nil of a later round, which the machine enters, does not end the wait for the proposal', () => {
    const s = createScenario()
    s.timeOut()
    s.prevoteIn(1, undefined, undefined, undefined)
    expect([s.state.round, s.state.step]).toEqual([1, RoundStep.propose])
    expect(s.myVote(prevote, 1)).toBeUndefined()
    s.timeOut()
    s.expectPrevote(undefined)
  })

  it('behavior: +2/3 precommits for nil of a later round lead to a precommit in that round, and after a wait to the next round', () => {
    const s = createScenario()
    s.timeOut()
    s.precommitIn(1, undefined, undefined, undefined)
    expect([s.state.round, s.state.step]).toEqual([1, RoundStep.precommit])
    expect(s.myVote(prevote, 1)).toBeUndefined()
    s.expectPrecommit(undefined)
    s.timeOut()
    expect([s.state.round, s.state.step]).toEqual([2, RoundStep.propose])
    expect(s.eventTypes().filter((type) => type === 'TimeoutWait').length).toBe(1)
  })

  it('behavior: +2/3 precommits for nil of this round end the round after the wait for precommits', () => {
    const s = createScenario()
    s.precommit(undefined, undefined, undefined)
    s.expectPrecommit(undefined)
    s.timeOut()
    expect(s.state.round).toBe(1)
    expect(s.state.triggeredTimeoutPrecommit).toBe(false)
  })

  it('behavior: after a polka for a missing block, the block becomes valid when it arrives', () => {
    const s = createScenario()
    s.timeOut()
    s.expectPrevote(undefined)
    const block = s.network.block(['a'])
    s.prevote(block, block, block)
    expect(s.eventTypes()).toContain('ValidBlock')
    expect(s.state.valid).toBeUndefined()
    s.timeOut()
    s.expectPrecommit(undefined)
    s.propose(block)
    expect(s.state.valid).toMatchObject({ round: 0, hash: block.blockId.hash })
    expect(s.state.locked).toBeUndefined()
    // The node has voted in this round already, so it does not vote again.
    expect(s.me.sent.length).toBe(2)
  })
})

describe('commits out of turn', () => {
  it('default: after +2/3 precommits for a missing block its parts are requested', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.precommit(block, block, block)
    expect(s.state.step).toBe(RoundStep.commit)
    expect(s.state.incoming?.block).toBeUndefined()
    expect(s.state.incoming?.parts.hasHeader(block.blockId.partSetHeader)).toBe(true)
    expect(s.eventTypes()).toContain('ValidBlock')
    expect(s.me.effects.some((effect) => effect.type === 'gossip' && effect.hint.type === 'newValidBlock')).toBe(true)
    s.sendParts(block)
    expect(s.me.commits.map(({ seenCommit }) => seenCommit.round)).toEqual([0])
  })

  it('behavior: the last precommit of an earlier round decides, although the block is received only in this round', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.precommit(undefined, block, block)
    s.timeOut()
    expect(s.state.round).toBe(1)
    // An equivocator sent this node a precommit for nil, and sent the other nodes a precommit for the block. When a
    // peer claims +2/3 for the block, this node also counts the equivocator's precommit for the block.
    const claim = { height: 1, round: 0, voteType: precommit, blockId: block.blockId }
    s.me.feed({ type: 'peerMaj23', peerId: 'p', ...claim })
    sendVote(s, 0, { type: precommit, round: 0, blockId: block.blockId })
    expect([s.state.step, s.state.decision?.round, s.state.round]).toEqual([RoundStep.commit, 0, 1])
    s.sendParts(block)
    expect(s.state.height).toBe(2)
  })

  it('behavior: a node that +2/3 votes of a later round move on while it fetches the decided block still commits this block', () => {
    const s = createScenario()
    const block = s.network.block(['x'.repeat(100_000)])
    s.precommit(block, block, block)
    const [first, second] = block.parts.parts
    if (first === undefined || second === undefined) throw new Error('the block has two parts')
    s.me.receive({ kind: 'blockPart', height: 1, round: 0, part: first })
    s.prevoteIn(1, undefined, undefined, undefined)
    expect([s.state.step, s.state.round, s.state.decision?.round]).toEqual([RoundStep.propose, 1, 0])
    // A peer that receives the new round forgets which parts this node lacks. So this node reports them again.
    const hints = s.me.effects.flatMap((effect) => (effect.type === 'gossip' ? [effect.hint.type] : []))
    expect(hints.lastIndexOf('newValidBlock')).toBeGreaterThan(hints.lastIndexOf('newRoundStep'))
    // The other validators have committed the block. They send this node the parts of the block and the precommits for
    // it, and no vote of a later round.
    s.precommitIn(0, block, block, block)
    s.me.receive({ kind: 'blockPart', height: 1, round: 1, part: second })
    expect([s.state.height, s.me.commits.map(({ seenCommit }) => seenCommit.round)]).toEqual([2, [0]])
  })

  it('behavior: a late precommit of the decided round does not stop the votes of the present round', () => {
    const s = createScenario({ powers: new Array<bigint>(7).fill(10n) })
    const block = s.network.block(['x'.repeat(100_000)])
    s.precommit(...Array.from({ length: 5 }, () => block))
    expect(s.state.decision?.round).toBe(0)
    s.prevoteIn(1, ...Array.from({ length: 5 }, () => undefined))
    expect([s.state.step, s.state.round]).toEqual([RoundStep.propose, 1])
    const late = s.others[5]
    if (late === undefined) throw new Error('seven validators')
    s.me.receive({ kind: 'vote', vote: late.vote({ type: precommit, height: 1, round: 0 }) }, 'peer5')
    expect([s.state.step, s.state.round]).toEqual([RoundStep.propose, 1])
    s.timeOut()
    s.expectPrevote(undefined)
    s.sendParts(block, 1)
    expect([s.state.height, s.me.commits.map(({ seenCommit }) => seenCommit.round)]).toEqual([2, [0]])
  })

  it('behavior: a locked validator whose round timed out commits when the missing precommit comes', () => {
    const s = createScenario()
    const block = lockInRound0(s)
    s.timeOut()
    s.expectPrevote(block)
    sendVote(s, 2, { type: precommit, round: 0, blockId: block.blockId })
    expect(s.me.commits.map(({ seenCommit }) => seenCommit.round)).toEqual([0])
    expect([s.state.height, s.state.round, s.state.triggeredTimeoutPrecommit]).toEqual([2, 0, false])
    // The next timeout is the commit timeout, after which the next height begins.
    s.timeOut()
    expect([s.state.height, s.state.step]).toEqual([2, RoundStep.propose])
  })

  it('behavior: the wait for precommits ends with the height', () => {
    const s = createScenario()
    const block = s.network.block()
    s.propose(block)
    s.prevote(block, block, block)
    s.precommit(undefined, block)
    expect(s.state.triggeredTimeoutPrecommit).toBe(true)
    sendVote(s, 2, { type: precommit, round: 0, blockId: block.blockId })
    expect([s.state.height, s.state.triggeredTimeoutPrecommit]).toEqual([2, false])
  })

  it('behavior: nothing is committed by precommits for nil', () => {
    const s = createScenario()
    const block = s.network.block()
    s.propose(block)
    s.prevote(block, block, block)
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    expect(s.me.commits).toEqual([])
    expect(s.state.round).toBe(1)
  })
})

/**
 * Makes the machine lock on the block `late` in round 1. `early` is another block, for which a test can add late
 * prevotes of round 0.
 */
function lockInRound1(s: Scenario): { readonly early: VirtualBlock; readonly late: VirtualBlock } {
  const [early, late] = [s.network.block(['early']), s.network.block(['late'])]
  s.precommit(undefined, undefined, undefined)
  s.timeOut()
  s.propose(late)
  s.prevote(late, late, late)
  expect(s.state.locked?.round).toBe(1)
  return { early, late }
}

describe('a lock that no polka frees', () => {
  it('default: the locked block is prevoted, but not precommitted, until this node proposes it again', () => {
    const s = createScenario({ proposes: 2 })
    const locked = lockInRound0(s)
    s.timeOut()
    s.expectPrevote(locked)
    const other = s.network.block(['b'])
    s.prevote(other, undefined)
    s.timeOut()
    s.expectPrecommit(undefined)
    expect(s.state.locked?.round).toBe(0)
    s.precommit(other, undefined)
    s.timeOut()
    expect(s.state.round).toBe(2)
    const sent = s.me.sent.findLast((message) => message.kind === 'proposal')
    expect(sent?.kind === 'proposal' && sent.proposal).toMatchObject({
      round: 2,
      polRound: 0,
      blockId: locked.blockId,
    })
    s.expectPrevote(locked)
  })

  it('behavior: a proposal with a POL round before the lock gets a prevote for the locked block', () => {
    const s = createScenario()
    const { early, late } = lockInRound1(s)
    s.precommit(undefined, late, undefined)
    s.timeOut()
    expect(s.state.round).toBe(2)
    s.propose(early, { polRound: 0 })
    s.prevoteIn(0, early, early, early)
    expect(s.eventTypes()).not.toContain('Unlock')
    expect(s.state.locked).toMatchObject({ round: 1, hash: late.blockId.hash })
    s.expectPrevote(late)
  })

  it('behavior: a polka of an earlier round causes no step', () => {
    const s = createScenario()
    const { early, late } = lockInRound1(s)
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    s.timeOut()
    s.expectPrevote(late)
    const before = stepNames(s)
    s.prevoteIn(0, early, early, early)
    expect(stepNames(s)).toEqual(before)
    expect(s.state.locked?.hash).toEqual(late.blockId.hash)
  })
})

describe('the validators that send messages', () => {
  it('default: proposers take turns by round', () => {
    const { network } = createScenario()
    const turns = [0, 1, 2, 3, 4, 5, 6, 7].map((round) => network.proposerOf(round).index)
    expect(new Set(turns.slice(0, 4)).size).toBe(4)
    expect(turns.slice(4)).toEqual(turns.slice(0, 4))
  })

  it('behavior: the proposer proposes and prevotes at once', () => {
    const s = createScenario({ proposes: 0 })
    expect(s.me.sent.map(({ kind }) => kind)).toEqual(['proposal', 'blockPart', 'vote'])
    expect(s.state.step).toBe(RoundStep.prevote)
    expect(s.eventTypes()).not.toContain('TimeoutPropose')
  })
})

describe('the height from which votes are extended', () => {
  const cases = [
    { enabled: 1, extension: true, counts: true },
    { enabled: 1, extension: false, counts: false },
    { enabled: 2, extension: false, counts: true },
    { enabled: 2, extension: true, counts: false },
    { enabled: 0, extension: false, counts: true },
    { enabled: 0, extension: true, counts: false },
  ]
  it.each(cases)('behavior: from $enabled, a vote of height 1 with extension: $extension counts: $counts', (given) => {
    let asked = 0
    const verifyExtension = (): boolean => {
      asked++
      return true
    }
    const s = createScenario({ extensionsFrom: given.enabled, app: { verifyExtension } })
    const block = s.network.block()
    const signed = (s.others[0] as VirtualNode).vote({
      type: precommit,
      blockId: block.blockId,
      extension: given.extension ? utf8ToBytes('e') : new Uint8Array(0),
    })
    const bare = { extension: new Uint8Array(0), extensionSignature: new Uint8Array(0) }
    const vote = given.extension ? signed : { ...signed, ...bare }
    s.me.receive({ kind: 'vote', vote })
    expect(s.state.votes.precommits(0)?.vote(vote.validatorIndex) !== undefined).toBe(given.counts)
    expect(asked).toBe(given.enabled === 1 && given.extension ? 1 : 0)
    if (given.counts) return
    const code = given.enabled === 1 ? VOTE_REFUSALS.missingExtension : VOTE_REFUSALS.unexpectedExtension
    const judgement = s.me.effects.findLast((effect) => effect.type === 'judgement')?.judgement
    expect(judgement).toMatchObject({ outcome: 'reject', code })
  })

  it('behavior: extensions of absent and nil precommits are not requested', () => {
    const asked: number[] = []
    const verifyExtension = (vote: { validatorIndex: number }): boolean => {
      asked.push(vote.validatorIndex)
      return true
    }
    const s = createScenario({ extensionsFrom: 1, app: { verifyExtension } })
    const block = s.network.block()
    s.propose(block)
    s.prevote(block, block, block)
    s.precommit(undefined, block, block)
    expect(asked).toEqual(s.others.slice(1, 3).map(({ index }) => index))
    const extended = s.me.commits[0]?.seenCommit.extendedSignatures ?? []
    expect(extended.map(({ blockIdFlag }) => blockIdFlag).filter((flag) => flag === 2).length).toBe(3)
  })
})
