import { SignedMsgType, ZERO_BLOCK_ID } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { MACHINE_ERRORS, RoundStep, VOTE_REFUSALS } from '../../src/consensus/machine/index.ts'
import { createScenario } from './scenario.ts'
import type { VirtualNode } from './virtual-network.ts'

const { prevote, precommit } = SignedMsgType

describe('rounds', () => {
  it('default: without a proposal nil is prevoted at the timeout', () => {
    const s = createScenario()
    expect(s.state.step).toBe(RoundStep.propose)
    s.timeOut()
    s.expectPrevote(undefined)
    expect(s.network.clock.monotonic()).toBe(4000)
    expect(s.eventTypes()).toEqual(['NewRound', 'TimeoutPropose', 'Vote'])
  })

  it('behavior: timeouts grow with the round', () => {
    const s = createScenario()
    const at: number[] = []
    for (let round = 0; round < 3; round++) {
      const start = s.network.clock.monotonic()
      s.timeOut()
      at.push(s.network.clock.monotonic() - start)
      s.precommit(undefined, undefined, undefined)
      s.timeOut()
    }
    expect(at).toEqual([3000, 3500, 4000])
  })

  it('behavior: +2/3 precommits for nil end the round after a wait', () => {
    const s = createScenario()
    s.timeOut()
    s.precommit(undefined, undefined, undefined)
    expect(s.state.triggeredTimeoutPrecommit).toBe(true)
    s.timeOut()
    expect([s.state.round, s.state.step]).toEqual([1, RoundStep.propose])
  })

  it('behavior: +2/3 prevotes of a later round move the machine to that round', () => {
    const s = createScenario()
    s.prevoteIn(1, undefined, s.network.block(), undefined)
    expect(s.state.round).toBe(1)
    expect(s.state.step).toBe(RoundStep.propose)
  })

  it('behavior: +2/3 precommits of a later round move it to that round, and to the next one', () => {
    const s = createScenario()
    s.precommitIn(2, undefined, s.network.block(), undefined)
    expect(s.state.round).toBe(2)
    expect(s.state.triggeredTimeoutPrecommit).toBe(true)
  })

  it('behavior: a third of the votes of a later round does not move the machine', () => {
    const s = createScenario()
    s.prevoteIn(1, undefined, undefined)
    expect(s.state.round).toBe(0)
  })

  it('behavior: precommits of a later round decide, and the block is committed when its parts arrive', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.precommitIn(3, block, block, block)
    expect([s.state.round, s.state.step, s.state.decision?.round]).toEqual([3, RoundStep.commit, 3])
    expect(s.state.incoming?.block).toBeUndefined()
    s.sendParts(block, 1)
    expect(s.me.commits.map(({ seenCommit }) => seenCommit.round)).toEqual([3])
    expect(s.state.height).toBe(2)
  })

  it('behavior: with a tolerance for block times, a decided block is committed', () => {
    const s = createScenario({ options: { blockTimeTolerance: 1n } })
    const block = s.network.block()
    s.propose(block)
    // The time of the block is not ahead of the clock, so this node prevotes the block. Its prevote and two prevotes of
    // other nodes are a polka.
    s.prevote(block, block)
    s.precommit(block, block, block)
    expect(s.me.commits.length).toBe(1)
  })

  it('behavior: a block whose time is ahead of the local clock gets a prevote for nil', () => {
    const s = createScenario({ options: { blockTimeTolerance: 1n } })
    const ahead = s.network.block()
    const header = { ...ahead.block.header, time: ahead.block.header.time + 3_600_000_000_000n }
    const late = s.network.remake({ ...ahead.block, header })
    s.propose(late)
    s.expectPrevote(undefined)
    s.prevote(late, late, late)
    s.precommit(late, late, late)
    expect(s.me.commits.length).toBe(1)
  })

  it('behavior: an invalid block and one the application rejects get a prevote for nil', () => {
    const invalid = createScenario({ app: { validate: () => 'bad' } })
    invalid.propose(invalid.network.block())
    invalid.expectPrevote(undefined)
    const rejected = createScenario({ app: { accept: () => false } })
    rejected.propose(rejected.network.block())
    rejected.expectPrevote(undefined)
    // The other validators may decide a block that this node's application rejects.
    const block = rejected.network.block()
    rejected.prevote(block, block, block)
    rejected.precommit(block, block, block)
    expect(rejected.me.commits.length).toBe(1)
  })

  it('behavior: a validation says whether +2/3 have voted for the block', () => {
    const known = (precommits: boolean): readonly boolean[] => {
      const s = createScenario({ app: { validate: () => (s.me.sent.length === 0 ? 'not known yet' : undefined) } })
      const block = s.network.block()
      s.propose(block)
      s.expectPrevote(undefined)
      if (precommits) s.precommit(block, block, block)
      else s.prevote(block, block, block)
      return s.me.effects.flatMap((effect) => (effect.type === 'validateBlock' ? [effect.isAgreed] : []))
    }
    expect([known(false), known(true)]).toEqual([
      [false, true],
      [false, true],
    ])
  })

  it('error: +2/3 prevotes for an invalid block halt the machine', () => {
    const s = createScenario({ app: { validate: () => 'bad' } })
    const block = s.network.block()
    s.propose(block)
    expect(() => s.prevote(block, block, block)).toThrow(
      expect.objectContaining({ code: MACHINE_ERRORS.polkaForInvalidBlock }),
    )
  })

  it('behavior: a proposal counts once, and only from the proposer', () => {
    const s = createScenario()
    const [first, second] = [s.network.block(['a']), s.network.block(['b'])]
    const stranger = s.others.find((node) => node !== s.network.proposerOf(0)) as VirtualNode
    s.me.receive({ kind: 'proposal', proposal: stranger.propose(first) })
    expect(s.state.proposal).toBeUndefined()
    s.me.receive({ kind: 'proposal', proposal: s.network.proposerOf(0).propose(first) })
    s.me.receive({ kind: 'proposal', proposal: s.network.proposerOf(0).propose(second) })
    expect(s.state.proposal?.blockId).toEqual(first.blockId)
    const outcomes = s.me.effects.flatMap((effect) => (effect.type === 'judgement' ? [effect.judgement.outcome] : []))
    expect(outcomes).toEqual(['reject', 'accept', 'ignore'])
  })

  it('behavior: a proposal over the block size is refused', () => {
    const s = createScenario()
    const block = s.network.block()
    const partSetHeader = { ...block.blockId.partSetHeader, total: 400 }
    const proposal = s.network.proposerOf(0).propose({ ...block, blockId: { ...block.blockId, partSetHeader } })
    s.me.receive({ kind: 'proposal', proposal })
    expect(s.state.proposal).toBeUndefined()
  })

  it('behavior: a part of another block is refused, and a part of a large block waits for the rest', () => {
    const s = createScenario()
    const big = s.network.block(['x'.repeat(200_000)])
    const proposal = s.network.proposerOf(0).propose(big)
    s.me.receive({ kind: 'proposal', proposal })
    const [first, second, third, fourth] = big.parts.parts
    if (first === undefined || second === undefined || third === undefined || fourth === undefined)
      throw new Error('parts')
    const bad = { ...first, bytes: first.bytes.map((byte) => byte ^ 1) }
    for (const part of [bad, first, first, fourth, second]) {
      s.me.receive({ kind: 'blockPart', height: 1, round: 0, part })
    }
    const outcomes = s.me.effects.flatMap((effect) => (effect.type === 'judgement' ? [effect.judgement.outcome] : []))
    expect(outcomes).toEqual(['accept', 'reject', 'accept', 'ignore', 'accept', 'accept'])
    expect(s.state.incoming?.block).toBeUndefined()
    s.me.receive({ kind: 'blockPart', height: 1, round: 0, part: third })
    s.expectPrevote(big)
  })

  it('behavior: bytes that are not a block get a prevote for nil', () => {
    const s = createScenario()
    const garbage = s.network.garbage()
    s.propose(garbage)
    expect(s.state.incoming?.block).toBeUndefined()
    s.timeOut()
    s.expectPrevote(undefined)
  })
})

describe('votes', () => {
  it('behavior: conflicting votes are reported, and the second does not count', () => {
    const s = createScenario()
    const [a, b] = [s.network.block(['a']), s.network.block(['b'])]
    const liar = s.others[0] as VirtualNode
    const [first, second] = [liar.vote({ blockId: a.blockId }), liar.vote({ blockId: b.blockId })]
    s.me.receive({ kind: 'vote', vote: first })
    s.me.receive({ kind: 'vote', vote: second })
    expect(s.me.conflicts).toEqual([[first, second]])
    expect(s.state.votes.prevotes(0)?.vote(first.validatorIndex)).toEqual(first)
    expect(s.state.votes.prevotes(0)?.bitsFor(b.blockId)).toBeUndefined()
  })

  it('behavior: a conflicting vote counts if a peer claims two thirds for its block', () => {
    const s = createScenario()
    const [a, b] = [s.network.block(['a']), s.network.block(['b'])]
    const liar = s.others[0] as VirtualNode
    s.me.receive({ kind: 'vote', vote: liar.vote({ blockId: a.blockId }) })
    const claim = { peerId: 'p', height: 1, round: 0, voteType: prevote, blockId: b.blockId }
    s.me.feed({ type: 'peerMaj23', ...claim })
    s.me.receive({ kind: 'vote', vote: liar.vote({ blockId: b.blockId }) })
    s.prevote(undefined, b, b)
    expect(s.state.votes.prevotes(0)?.majority).toEqual(b.blockId)
    // More than two thirds voted for block `b`. So the set now has the liar's vote for `b` instead of its earlier vote
    // for `a`. In total the set has three votes for `b`.
    expect(s.state.votes.prevotes(0)?.votes.filter((vote) => vote?.blockId.hash.length === 32).length).toBe(3)
  })

  it("behavior: this node's own conflicting vote is not evidence", () => {
    const s = createScenario()
    s.timeOut()
    s.me.receive({ kind: 'vote', vote: s.me.vote({ blockId: s.network.block().blockId }) })
    expect(s.me.conflicts).toEqual([])
  })

  it('behavior: votes of one peer open at most two later rounds', () => {
    const s = createScenario()
    const [a] = s.others as [VirtualNode]
    for (const round of [5, 6, 7]) s.me.receive({ kind: 'vote', vote: a.vote({ round, type: precommit }) }, 'p')
    expect(s.state.votes.precommits(6)).toBeDefined()
    expect(s.state.votes.precommits(7)).toBeUndefined()
    s.me.receive({ kind: 'vote', vote: a.vote({ round: 7, type: precommit }) }, 'q')
    expect(s.state.votes.precommits(7)).toBeDefined()
  })

  it('behavior: an invalid vote opens no later round', () => {
    const s = createScenario()
    const [a, b] = s.others as [VirtualNode, VirtualNode]
    const good = a.vote({ round: 5 })
    for (const vote of [
      { ...good, validatorIndex: 9 },
      { ...good, validatorAddress: b.address },
      { ...good, signature: b.vote({}).signature },
    ])
      s.me.receive({ kind: 'vote', vote }, 'p')
    expect(s.state.votes.prevotes(5)).toBeUndefined()
    expect(s.me.effects.flatMap((effect) => (effect.type === 'judgement' ? [effect.judgement] : []))).toMatchObject([
      { code: VOTE_REFUSALS.invalidIndex },
      { code: VOTE_REFUSALS.invalidAddress },
      { code: VOTE_REFUSALS.invalidSignature, fault: 'forged' },
    ])
  })

  it('behavior: a validator that connects with very many ids opens at most 100 later rounds, and the one with the most power stays', () => {
    const s = createScenario()
    const [a, b, c] = s.others as [VirtualNode, VirtualNode, VirtualNode]
    for (const node of [b, c]) s.me.receive({ kind: 'vote', vote: node.vote({ round: 7 }) }, 'honest')
    for (let i = 0; i < 300; i++) s.me.receive({ kind: 'vote', vote: a.vote({ round: 10 + i }) }, `id ${i}`)
    expect(s.state.votes.rounds).toBe(2 + 100)
    expect(s.state.votes.prevotes(7)?.vote(b.index)).toBeDefined()
    s.me.receive({ kind: 'vote', vote: a.vote({ round: 7 }) }, 'late')
    expect(s.state.round).toBe(7)
  })

  it('behavior: a validator that votes in very many rounds does not displace a round with a vote of another validator', () => {
    const s = createScenario()
    const [a, b] = s.others as [VirtualNode, VirtualNode]
    const voteIn = (round: number, id: string): void => {
      for (const type of [prevote, precommit]) s.me.receive({ kind: 'vote', vote: a.vote({ round, type }) }, id)
    }
    for (let i = 0; i < 100; i++) voteIn(10 + i, `id ${i}`)
    s.me.receive({ kind: 'vote', vote: b.vote({ round: 500, type: precommit }) }, 'honest')
    for (let i = 0; i < 100; i++) voteIn(1000 + i, `other id ${i}`)
    expect(s.state.votes.rounds).toBe(2 + 100)
    expect(s.state.votes.precommits(500)?.vote(b.index)).toBeDefined()
  })

  it('behavior: a node that connects with very many ids stores a limited number of claims, and repeated claims stay', () => {
    const s = createScenario()
    const [a, b] = [s.network.block(['a']), s.network.block(['b'])]
    const claim = (peerId: string, blockId = a.blockId): void =>
      s.me.feed({ type: 'peerMaj23', peerId, height: 1, round: 0, voteType: prevote, blockId })
    for (let i = 0; i < 2000; i++) {
      const hash = new Uint8Array(32)
      new DataView(hash.buffer).setUint32(0, i)
      claim(`id ${i}`, { ...a.blockId, hash })
      if (i % 300 === 0) claim('honest', b.blockId)
    }
    const prevotes = s.state.votes.prevotes(0)
    expect(prevotes?.peerMaj23s.size).toBe(500)
    expect(prevotes?.peerMaj23s.get('honest')).toEqual(b.blockId)
    const first = { ...a.blockId, hash: new Uint8Array(32) }
    expect(prevotes?.bitsFor(first)).toBeUndefined()
    const liar = s.others[0] as VirtualNode
    for (const { blockId } of [a, b]) s.me.receive({ kind: 'vote', vote: liar.vote({ blockId }) })
    expect(prevotes?.bitsFor(b.blockId)?.isEmpty()).toBe(false)
  })

  it('behavior: the second votes of an equivocator are removed when the peers that claimed their blocks are forgotten', () => {
    const s = createScenario()
    const [equivocator] = s.others as [VirtualNode]
    const { blockId: first } = s.network.block(['a'])
    const idOf = (index: number) => {
      const hash = new Uint8Array(32).fill(9)
      new DataView(hash.buffer).setUint32(0, index)
      return { ...first, hash }
    }
    const claim = (peerId: string, blockId: typeof first): void =>
      s.me.feed({ type: 'peerMaj23', peerId, height: 1, round: 0, voteType: prevote, blockId })
    const receive = (blockId: typeof first): void =>
      s.me.receive({ kind: 'vote', vote: equivocator.vote({ blockId }) }, 'p')
    receive(first)
    claim('early', first)
    for (let i = 0; i < 600; i++) {
      claim(`id ${i}`, idOf(i))
      receive(idOf(i))
    }
    const prevotes = s.state.votes.prevotes(0)
    const counts = Array.from({ length: 600 }, (_, i) => prevotes?.bitsFor(idOf(i))?.count())
    expect(counts.filter((count) => count === 1)).toHaveLength(500)
    expect(counts.at(-1)).toBe(1)
    expect(prevotes?.bitsFor(first)?.count()).toBe(1)
  })

  it('error: refuses votes with a wrong address, index or signature', () => {
    const s = createScenario()
    const [a, b] = s.others as [VirtualNode, VirtualNode]
    const good = a.vote({})
    const bad = [
      { ...good, signature: b.vote({}).signature },
      { ...good, validatorIndex: 9 },
      { ...good, validatorAddress: b.address },
      { ...good, extension: utf8ToBytes('x') },
      { ...good, blockId: s.network.block().blockId },
    ]
    for (const vote of bad) s.me.receive({ kind: 'vote', vote })
    s.me.receive({ kind: 'vote', vote: good })
    s.me.receive({ kind: 'vote', vote: good })
    s.me.receive({ kind: 'vote', vote: { ...good, signature: b.vote({}).signature } })
    const judgements = s.me.effects.flatMap((effect) => (effect.type === 'judgement' ? [effect.judgement] : []))
    const refused = (code: string) => expect.objectContaining({ outcome: 'reject', code })
    const forged = {
      outcome: 'reject',
      code: VOTE_REFUSALS.invalidSignature,
      reason: 'invalid signature',
      fault: 'forged',
    }
    expect(judgements).toEqual([
      forged,
      refused(VOTE_REFUSALS.invalidIndex),
      refused(VOTE_REFUSALS.invalidAddress),
      refused(VOTE_REFUSALS.unexpectedExtension),
      forged,
      { outcome: 'accept' },
      { outcome: 'ignore', reason: 'the vote was received before' },
      refused(VOTE_REFUSALS.nonDeterministicSignature),
    ])
  })

  it('behavior: votes of other heights are ignored, but precommits of the last height count until the next height begins', () => {
    const s = createScenario()
    const block = s.network.block()
    s.propose(block)
    s.prevote(block, block)
    const late = (s.others[2] as VirtualNode).vote({ type: precommit, height: 1, round: 0, blockId: block.blockId })
    s.precommit(block, block)
    expect(s.state.height).toBe(2)
    s.me.receive({ kind: 'vote', vote: late })
    expect(s.state.lastCommit?.hasAll).toBe(true)
    const far = (s.others[2] as VirtualNode).vote({ height: 7 })
    s.me.receive({ kind: 'vote', vote: far })
    expect(s.me.effects.findLast((effect) => effect.type === 'judgement')?.judgement.outcome).toBe('ignore')
    s.timeOut()
    s.me.receive({ kind: 'vote', vote: late })
    expect(s.me.effects.findLast((effect) => effect.type === 'judgement')?.judgement.outcome).toBe('ignore')
  })

  it('behavior: vote times are after the time of their block', () => {
    const s = createScenario()
    const soon = s.network.block()
    const header = { ...soon.block.header, time: s.network.clock.now() + 30_000_000_000n }
    const ahead = s.network.remake({ ...soon.block, header })
    s.propose(ahead)
    const sent = s.me.sent.find((message) => message.kind === 'vote')
    expect(sent?.kind === 'vote' && sent.vote.timestamp).toBe(header.time + 1_000_000n)
    // In round 1 there is no proposal, so the node prevotes its locked block again. As in round 0, the time of the vote
    // must be after the time of this block.
    s.prevote(ahead, ahead)
    s.precommit(undefined, undefined)
    s.timeOut()
    s.timeOut()
    const later = s.me.sent.findLast((message) => message.kind === 'vote')
    expect(later?.kind === 'vote' && later.vote).toMatchObject({
      round: 1,
      blockId: ahead.blockId,
      timestamp: header.time + 1_000_000n,
    })
  })
})

describe('vote extensions', () => {
  it('behavior: a precommit for nil has no extension and no extension signature', () => {
    const s = createScenario({ extensionsFrom: 1 })
    s.timeOut()
    s.prevote(undefined, undefined, undefined)
    const sent = s.me.sent.findLast((message) => message.kind === 'vote')
    expect(sent?.kind === 'vote' && [sent.vote.type, sent.vote.extension, sent.vote.extensionSignature]).toEqual([
      precommit,
      new Uint8Array(0),
      new Uint8Array(0),
    ])
  })

  it('behavior: a vote whose extension the application rejects does not count', () => {
    const s = createScenario({ extensionsFrom: 1, app: { verifyExtension: (vote) => vote.extension.length < 3 } })
    const block = s.network.block()
    s.propose(block)
    s.prevote(block, block)
    const [a, b] = s.others as [VirtualNode, VirtualNode]
    const type = precommit
    const good = a.vote({ type, blockId: block.blockId, extension: utf8ToBytes('ok') })
    const bad = b.vote({ type, blockId: block.blockId, extension: utf8ToBytes('bad') })
    s.me.receive({ kind: 'vote', vote: good })
    s.me.receive({ kind: 'vote', vote: bad })
    const last = s.me.effects.findLast((effect) => effect.type === 'judgement')
    expect(last?.judgement).toMatchObject({ outcome: 'reject', code: VOTE_REFUSALS.rejectedExtension })
    expect(s.state.votes.precommits(0)?.vote(bad.validatorIndex)).toBeUndefined()
    // A vote for nil has no extension, so the application is not asked whether it accepts the vote.
    s.me.receive({ kind: 'vote', vote: b.vote({ type, blockId: ZERO_BLOCK_ID }) })
    expect(s.state.votes.precommits(0)?.vote(bad.validatorIndex)).toBeDefined()
  })

  it('error: a missing or forged extension signature never reaches the application', () => {
    let asked = 0
    const verifyExtension = (): boolean => {
      asked++
      return true
    }
    const s = createScenario({ extensionsFrom: 1, app: { verifyExtension } })
    const block = s.network.block()
    const [a, b] = s.others as [VirtualNode, VirtualNode]
    const vote = a.vote({ type: precommit, blockId: block.blockId, extension: utf8ToBytes('e') })
    const none = new Uint8Array(0)
    s.me.receive({ kind: 'vote', vote: { ...vote, extensionSignature: none } })
    s.me.receive({ kind: 'vote', vote: { ...vote, extension: utf8ToBytes('f') } })
    s.me.receive({ kind: 'vote', vote: { ...vote, extensionSignature: b.vote({}).signature } })
    expect(asked).toBe(0)
    s.me.receive({ kind: 'vote', vote })
    s.me.receive({ kind: 'vote', vote })
    expect(asked).toBe(1)
  })
})

describe('the machine', () => {
  it('error: a result that the machine did not request halts the machine', () => {
    const s = createScenario()
    const { machine } = s.me
    const time = s.network.clock.now()
    const effects = machine.step({ type: 'result', time, result: { type: 'processProposal', value: true } })
    expect(effects.map((effect) => effect.type === 'halt' && effect.error.code)).toEqual([
      MACHINE_ERRORS.unexpectedResult,
    ])
    // After this error the machine accepts no more input.
    expect(machine.step({ type: 'txsAvailable', time })).toEqual([])
  })
})
