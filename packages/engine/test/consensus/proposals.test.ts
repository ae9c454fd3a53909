import { ZERO_BLOCK_ID } from '@org/types/block'
import { SignedMsgType } from '@org/types/vote'
import { describe, expect, it } from 'vitest'
import { MACHINE_ERRORS, RoundStep, type Verdict } from '../../src/consensus/machine/index.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { createVirtualNetwork, type VirtualNode } from './virtual-network.ts'

const { prevote, precommit } = SignedMsgType

function verdicts(s: Scenario): Verdict[] {
  return s.me.effects.flatMap((effect) => (effect.type === 'verdict' ? [effect.verdict] : []))
}

/** Ends round 0 without a lock. */
function goToRound1(s: Scenario): void {
  s.precommit(undefined, undefined, undefined)
  s.timeOut()
  expect([s.state.round, s.state.step]).toEqual([1, RoundStep.propose])
}

describe('a proposal', () => {
  it('default: one that comes before its height begins is there when it does', () => {
    const network = createVirtualNetwork()
    network.deliver = () => false
    const me = network.proposerOf(3)
    me.feed({ type: 'start' })
    const block = network.block(['a'])
    me.receive({ kind: 'proposal', proposal: network.proposerOf(0).propose(block) })
    expect(me.machine.state.step).toBe(RoundStep.newHeight)
    network.clock.next()
    expect(me.machine.state.step).toBe(RoundStep.propose)
    for (const part of block.parts.parts) {
      if (part !== undefined) me.receive({ kind: 'blockPart', height: 1, round: 0, part })
    }
    expect(me.said.map((message) => message.kind === 'vote' && message.vote.blockId)).toEqual([block.blockId])
  })

  it('behavior: one of another round or height is of no use', () => {
    const s = createScenario()
    const proposer = s.network.proposerOf(0)
    const block = s.network.block(['a'])
    s.me.receive({ kind: 'proposal', proposal: proposer.propose(block, { round: 1 }) })
    s.me.receive({ kind: 'proposal', proposal: proposer.propose(block, { height: 2 }) })
    expect(verdicts(s)).toEqual(new Array(2).fill({ outcome: 'ignore', reason: 'another round' }))
    expect(s.state.proposal).toBeUndefined()
  })

  it('error: a proof of lock of no round is refused', () => {
    const s = createScenario()
    s.propose(s.network.block(), { polRound: -2 })
    expect(verdicts(s)[0]).toEqual({ outcome: 'reject', reason: 'invalid proposal POL round' })
  })

  it('behavior: it is over with its round, and so is its block', () => {
    const s = createScenario({ app: { accept: () => false } })
    s.propose(s.network.block(['a']))
    s.expectPrevote(undefined)
    goToRound1(s)
    expect([s.state.proposal, s.state.proposalBlock, s.state.proposalParts]).toEqual([undefined, undefined, undefined])
    const other = createScenario()
    other.timeOut()
    other.propose(other.network.block(['a']))
    goToRound1(other)
    other.timeOut()
    other.expectPrevote(undefined)
  })

  it('behavior: votes for some block, but not two thirds for one, are no proof of lock', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    goToRound1(s)
    s.propose(block, { polRound: 0 })
    s.prevoteIn(0, block, block, undefined)
    expect(s.state.votes.prevotes(0)?.hasTwoThirdsAny).toBe(true)
    expect(s.state.step).toBe(RoundStep.propose)
  })

  it('behavior: a block that became valid too late for a lock is what this node proposes', () => {
    const s = createScenario({ proposes: 1 })
    const block = s.network.block(['a'])
    s.propose(block)
    s.prevote(block, undefined)
    s.timeOut()
    const vote = s.others[2]?.vote({ blockId: block.blockId })
    if (vote !== undefined) s.me.receive({ kind: 'vote', vote })
    s.precommit(undefined, undefined)
    s.timeOut()
    const said = s.me.said.find((message) => message.kind === 'proposal')
    const wanted = { round: 1, polRound: 0, blockId: block.blockId, timestamp: s.network.clock.now() }
    expect(said?.kind === 'proposal' && said.proposal).toMatchObject(wanted)
    s.expectPrevote(block)
  })

  it('behavior: who skips rounds knows whose turn it is', () => {
    const s = createScenario()
    s.precommitIn(2, undefined, s.network.block(), undefined)
    const last = s.me.events.findLast(({ type }) => type === 'NewRound')
    expect(last?.type === 'NewRound' && last.proposer.address).toEqual(s.network.proposerOf(2).address)
    const block = s.network.block(['a'])
    s.propose(block)
    expect(s.state.proposal?.blockId).toEqual(block.blockId)
  })
})

describe('parts', () => {
  /** So long is a block with a transaction of so many bytes. */
  const sizeOf = (bytes: number): number => createScenario().network.block(['x'.repeat(bytes)]).parts.byteSize

  it.each([
    { over: 0, prevotes: true },
    { over: 1, prevotes: false },
  ])('behavior: of a block that is $over bytes too long', ({ over, prevotes }) => {
    // No more parts than are allowed: nobody sees it before all are here.
    const s = createScenario({ maxBytes: BigInt(sizeOf(1000) - over) })
    const block = s.network.block(['x'.repeat(1000)])
    s.propose(block)
    expect(s.state.proposal).toBeDefined()
    if (!prevotes) s.timeOut()
    s.expectPrevote(prevotes ? block : undefined)
    s.prevote(block, block, block)
    if (!prevotes) s.timeOut()
    s.expectPrecommit(prevotes ? block : undefined)
  })

  it('behavior: without a limit of the parameters blocks may be as long as any', () => {
    const s = createScenario({ maxBytes: -1n })
    const block = s.network.block(['x'.repeat(1000)])
    s.propose(block)
    s.expectPrevote(block)
  })

  it('behavior: one that does not fit is a fault only in the round that it says', () => {
    const s = createScenario()
    const [wanted, other] = [s.network.block(['a']), s.network.block(['b'])]
    s.me.receive({ kind: 'proposal', proposal: s.network.proposerOf(0).propose(wanted) })
    const [[part], [own]] = [other.parts.parts, wanted.parts.parts]
    if (part === undefined || own === undefined) throw new Error('parts')
    s.me.receive({ kind: 'blockPart', height: 1, round: 1, part })
    s.me.receive({ kind: 'blockPart', height: 1, round: 0, part })
    s.me.receive({ kind: 'blockPart', height: 2, round: 0, part: own })
    expect(verdicts(s).map(({ outcome }) => outcome)).toEqual(['accept', 'ignore', 'reject', 'ignore'])
    expect(s.state.proposalBlock).toBeUndefined()
  })

  it('behavior: a block whose polka is here already is prevoted and locked at once', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.prevote(block, block, block)
    expect([s.state.step, s.me.said]).toEqual([RoundStep.propose, []])
    s.propose(block)
    s.expectPrevote(block)
    s.expectPrecommit(block)
    expect(s.state.locked?.round).toBe(0)
  })

  it('behavior: a polka for a block that is not here waits for more', () => {
    const s = createScenario()
    s.timeOut()
    const block = s.network.block(['a'])
    s.prevote(block, block, block)
    expect(s.state.step).toBe(RoundStep.prevoteWait)
    expect(s.myVote(precommit)).toBeUndefined()
    // Nobody is locked, and all hear of it.
    expect(s.eventTypes()).not.toContain('Unlock')
    s.timeOut()
    expect(s.myVote(precommit)).toEqual(ZERO_BLOCK_ID)
    expect(s.eventTypes().filter((type) => type === 'Unlock').length).toBe(1)
  })
})

describe('a decided block', () => {
  it('behavior: it takes the place of the proposed one', () => {
    const s = createScenario()
    const [proposed, decided] = [s.network.block(['a']), s.network.block(['b'])]
    s.propose(proposed)
    s.precommit(decided, decided, decided)
    expect([s.state.step, s.state.proposalBlock]).toEqual([RoundStep.commit, undefined])
    s.sendParts(decided)
    expect(s.me.commits.map(({ block }) => block.data.txs.length)).toEqual([1])
    expect(s.state.chain.lastBlockId).toEqual(decided.blockId)
  })

  it('error: one that is invalid halts the machine', () => {
    const s = createScenario({ app: { validate: () => 'bad' } })
    const block = s.network.block(['a'])
    s.precommit(block, block, block)
    expect(() => s.sendParts(block)).toThrow(expect.objectContaining({ code: MACHINE_ERRORS.committedInvalidBlock }))
  })

  it.each([
    [0, false],
    [1, true],
    [2, false],
  ])('behavior: with extensions from %i it is stored with them: %s', (extensionsFrom, extended) => {
    const s = createScenario({ extensionsFrom })
    const block = s.network.block(['a'])
    s.propose(block)
    s.prevote(block, block, block)
    s.precommit(block, block, block)
    const calls = s.me.effects.flatMap((effect) => (effect.type === 'commitBlock' ? [effect.extended] : []))
    expect(calls).toEqual([extended])
  })
})

describe('a second vote', () => {
  it('behavior: it is told to nobody', () => {
    const s = createScenario()
    const liar = s.others[0] as VirtualNode
    const [a, b] = [s.network.block(['a']), s.network.block(['b'])]
    s.me.receive({ kind: 'vote', vote: liar.vote({ type: prevote, blockId: a.blockId }) })
    const told = () =>
      s.me.effects.filter(
        (effect) =>
          (effect.type === 'publish' && effect.event.type === 'Vote') ||
          (effect.type === 'gossip' && effect.hint.type === 'hasVote'),
      ).length
    expect(told()).toBe(2)
    s.me.receive({ kind: 'vote', vote: liar.vote({ type: prevote, blockId: b.blockId }) })
    expect([told(), s.me.conflicts.length]).toEqual([2, 1])
  })
})
