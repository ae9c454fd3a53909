import { SignedMsgType } from '@org/types'
import { describe, expect, it } from 'vitest'
import { RoundStep } from '../../src/consensus/machine/index.ts'
import { createScenario, type Scenario } from './scenario.ts'
import type { VirtualBlock } from './virtual-network.ts'

/** Makes the machine lock on a block in round 0, and takes it to round 1. */
function lockAndGoOn(s: Scenario): VirtualBlock {
  const block = s.network.block(['a'])
  s.propose(block)
  s.prevote(block, block)
  s.expectPrecommit(block)
  expect(s.state.locked?.round).toBe(0)
  s.precommit(undefined, undefined)
  s.timeOut()
  expect(s.state.round).toBe(1)
  return block
}

describe('locking', () => {
  it('default: a polka for the proposed block locks it', () => {
    const s = createScenario()
    const block = s.network.block()
    s.propose(block)
    s.expectPrevote(block)
    s.prevote(block)
    expect(s.state.locked).toBeUndefined()
    s.prevote(block, block)
    s.expectPrecommit(block)
    expect(s.state.locked?.hash).toEqual(block.blockId.hash)
    expect(s.state.valid?.round).toBe(0)
    expect(s.eventTypes()).toEqual([
      'NewRound',
      'CompleteProposal',
      'Vote',
      'Vote',
      'Vote',
      'ValidBlock',
      'Polka',
      'Lock',
      'Vote',
    ])
  })

  it('behavior: without a polka nothing is locked and nil is precommitted', () => {
    const s = createScenario()
    const block = s.network.block()
    s.propose(block)
    s.prevote(block, undefined)
    expect(s.state.step).toBe(RoundStep.prevoteWait)
    s.timeOut()
    s.expectPrecommit(undefined)
    expect(s.state.locked).toBeUndefined()
    expect(s.eventTypes()).toContain('TimeoutWait')
  })

  it('behavior: the locked block is prevoted against another proposal', () => {
    const s = createScenario()
    const locked = lockAndGoOn(s)
    s.propose(s.network.block(['b']))
    s.expectPrevote(locked)
    // The prevotes contain no polka, so the lock stays and the node precommits nil.
    s.prevote(undefined, s.network.block(['b']))
    s.timeOut()
    s.expectPrecommit(undefined)
    expect(s.state.locked?.round).toBe(0)
  })

  it('behavior: without a proposal the locked block is prevoted too', () => {
    const s = createScenario()
    const locked = lockAndGoOn(s)
    s.timeOut()
    s.expectPrevote(locked)
  })

  it('behavior: a later polka for the locked block locks it again', () => {
    const s = createScenario()
    const locked = lockAndGoOn(s)
    s.propose(locked, { polRound: 0 })
    s.expectPrevote(locked)
    s.prevote(locked, locked)
    s.expectPrecommit(locked)
    expect(s.state.locked?.round).toBe(1)
    expect(s.eventTypes()).toContain('Relock')
  })

  it('behavior: a later polka for nil unlocks', () => {
    const s = createScenario()
    lockAndGoOn(s)
    s.timeOut()
    s.prevote(undefined, undefined, undefined)
    expect(s.state.locked).toBeUndefined()
    s.expectPrecommit(undefined)
    expect(s.eventTypes()).toContain('Unlock')
  })

  it('behavior: a later polka for another received block moves the lock', () => {
    const s = createScenario()
    lockAndGoOn(s)
    const other = s.network.block(['b'])
    s.propose(other)
    s.prevote(other, other, other)
    s.expectPrecommit(other)
    expect(s.state.locked?.hash).toEqual(other.blockId.hash)
    expect(s.state.locked?.round).toBe(1)
  })

  it('behavior: a later polka for a missing block unlocks, and its parts are fetched', () => {
    const s = createScenario()
    lockAndGoOn(s)
    const other = s.network.block(['b'])
    s.timeOut()
    s.prevote(other, other, other)
    expect(s.state.locked).toBeUndefined()
    expect(s.state.incoming?.parts.hasHeader(other.blockId.partSetHeader)).toBe(true)
    // The node has the polka but not the block, so it waits for the block, or for more votes.
    s.timeOut()
    s.expectPrecommit(undefined)
    s.sendParts(other)
    expect(s.state.valid?.hash).toEqual(other.blockId.hash)
  })

  it('behavior: a late prevote of a round before the lock leaves the lock unchanged', () => {
    const s = createScenario()
    const first = s.network.block(['a'])
    s.propose(first)
    s.prevote(undefined, undefined)
    s.timeOut()
    s.precommit(undefined, undefined)
    s.timeOut()
    const second = s.network.block(['b'])
    s.propose(second)
    s.prevote(second, second)
    expect(s.state.locked?.round).toBe(1)
    s.precommit(undefined, undefined)
    s.timeOut()
    expect(s.state.round).toBe(2)
    // A prevote of round 0 for the first block arrives late. The lock of round 1 stays.
    s.prevoteIn(0, undefined, undefined, first)
    expect(s.state.locked?.hash).toEqual(second.blockId.hash)
  })

  it('behavior: a polka for nil in a round between the round of the lock and the present round unlocks', () => {
    const s = createScenario()
    lockAndGoOn(s)
    s.timeOut()
    s.prevote(undefined, undefined)
    s.timeOut()
    s.expectPrecommit(undefined)
    expect(s.state.locked?.round).toBe(0)
    s.precommit(undefined, undefined)
    s.timeOut()
    expect(s.state.round).toBe(2)
    // A third prevote for nil of round 1 arrives late. It completes a polka for nil whose round is after the round of
    // the lock.
    const vote = s.others[2]?.vote({ round: 1 })
    if (vote !== undefined) s.me.receive({ kind: 'vote', vote })
    expect(s.state.locked).toBeUndefined()
  })

  it('behavior: a polka of a later round unlocks no validator before this round is reached and its prevotes are counted', () => {
    const s = createScenario()
    const locked = lockAndGoOn(s)
    s.prevoteIn(2, undefined, undefined, undefined)
    expect([s.state.round, s.state.step]).toEqual([2, RoundStep.propose])
    expect(s.state.locked?.hash).toEqual(locked.blockId.hash)
    s.timeOut()
    // The node prevotes its locked block first. Then it handles the polka for nil that it received before, and unlocks.
    expect(s.myVote(SignedMsgType.prevote, 2)).toEqual(locked.blockId)
    expect(s.state.locked).toBeUndefined()
  })

  it('behavior: late prevotes of an earlier round make no block valid, and do not remove the proposed block', () => {
    const s = createScenario()
    const [first, second] = [s.network.block(['a']), s.network.block(['b'])]
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    s.propose(second)
    s.prevoteIn(0, first, first, first)
    expect(s.state.valid).toBeUndefined()
    expect(s.state.incoming?.hash).toEqual(second.blockId.hash)
  })

  it('behavior: a polka for another block than the proposed block prepares the part set of that block', () => {
    const s = createScenario()
    const [proposed, other] = [s.network.block(['a']), s.network.block(['b'])]
    s.propose(proposed)
    s.prevote(other, other, other)
    expect(s.state.incoming?.block).toBeUndefined()
    expect(s.state.incoming?.parts.hasHeader(other.blockId.partSetHeader)).toBe(true)
    const hints = s.me.effects.flatMap((effect) => (effect.type === 'gossip' ? [effect.hint.type] : []))
    expect(hints).toContain('newValidBlock')
  })

  it('behavior: a block becomes valid at most once per round', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.propose(block)
    s.prevote(block, block, block)
    expect(s.eventTypes().filter((type) => type === 'ValidBlock').length).toBe(1)
  })

  it('behavior: a node proposes its valid block, with the round of its polka', () => {
    const s = createScenario({ proposes: 1 })
    const block = s.network.block(['a'])
    s.propose(block)
    s.prevote(block, block)
    s.precommit(undefined, undefined)
    s.timeOut()
    const sent = s.me.sent.find((message) => message.kind === 'proposal')
    expect(sent?.kind === 'proposal' && sent.proposal).toMatchObject({ round: 1, polRound: 0, blockId: block.blockId })
  })

  it('behavior: a block becomes valid without being locked, if the polka comes late', () => {
    const s = createScenario({ proposes: 1 })
    const block = s.network.block(['a'])
    s.propose(block)
    s.prevote(block, undefined)
    s.timeOut()
    s.expectPrecommit(undefined)
    // The last prevote completes the polka only after the node has precommitted nil.
    const vote = s.others[2]?.vote({ blockId: block.blockId })
    if (vote !== undefined) s.me.receive({ kind: 'vote', vote })
    expect(s.state.locked).toBeUndefined()
    expect(s.state.valid?.round).toBe(0)
    s.precommit(undefined, undefined)
    s.timeOut()
    const sent = s.me.sent.find((message) => message.kind === 'proposal')
    expect(sent?.kind === 'proposal' && sent.proposal.polRound).toBe(0)
  })

  it('behavior: a proposal with a proof of lock waits for the prevotes of that round', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    // The node received no message of round 0 except the precommits at the end of the round.
    s.precommitIn(0, undefined, undefined, undefined)
    s.timeOut()
    expect(s.state.round).toBe(1)
    s.propose(block, { polRound: 0 })
    expect(s.state.step).toBe(RoundStep.propose)
    s.prevoteIn(0, block, block, block)
    expect(s.state.step).toBe(RoundStep.prevote)
    s.expectPrevote(block)
  })

  it('error: a proof of lock of this round or a later one is refused', () => {
    const s = createScenario()
    s.propose(s.network.block(), { polRound: 0 })
    expect(s.state.proposal).toBeUndefined()
    const judgements = s.me.effects.filter((effect) => effect.type === 'judgement')
    expect(judgements[0]?.judgement).toEqual({
      outcome: 'reject',
      code: 'PROPOSAL_INVALID_POL_ROUND',
      reason: 'invalid proposal POL round',
    })
  })
})
