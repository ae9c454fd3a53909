import { Block, hashBlock, makePartSet, SignedMsgType, ZERO_BLOCK_ID } from '@org/types'
import { concatBytes } from '@org/types/bytes'
import { describe, expect, it, vi } from 'vitest'
import { type Judgement, MACHINE_ERRORS, RoundStep, VOTE_REFUSALS } from '../../src/consensus/machine/index.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { createVirtualNetwork, type VirtualBlock, type VirtualNode } from './virtual-network.ts'

const { prevote, precommit } = SignedMsgType

function judgements(s: Scenario): Judgement[] {
  return s.me.effects.flatMap((effect) => (effect.type === 'judgement' ? [effect.judgement] : []))
}

/** Takes the machine from round 0 to round 1 without a lock. */
function goToRound1(s: Scenario): void {
  s.precommit(undefined, undefined, undefined)
  s.timeOut()
  expect([s.state.round, s.state.step]).toEqual([1, RoundStep.propose])
}

describe('a proposal', () => {
  it('default: a proposal that arrives before its height is used when the height begins', () => {
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
    expect(me.sent.map((message) => message.kind === 'vote' && message.vote.blockId)).toEqual([block.blockId])
  })

  it('behavior: a proposal of another round or height is ignored', () => {
    const s = createScenario()
    const proposer = s.network.proposerOf(0)
    const block = s.network.block(['a'])
    s.me.receive({ kind: 'proposal', proposal: proposer.propose(block, { round: 1 }) })
    s.me.receive({ kind: 'proposal', proposal: proposer.propose(block, { height: 2 }) })
    expect(judgements(s)).toEqual(new Array(2).fill({ outcome: 'ignore', reason: 'the proposal is for another round' }))
    expect(s.state.proposal).toBeUndefined()
  })

  it('error: a proof of lock without a valid round is refused', () => {
    const s = createScenario()
    s.propose(s.network.block(), { polRound: -2 })
    expect(judgements(s)[0]).toEqual({
      outcome: 'reject',
      code: 'PROPOSAL_INVALID_POL_ROUND',
      reason: 'invalid proposal POL round',
    })
  })

  it('behavior: a proposal and its block are dropped at the end of the round', () => {
    const s = createScenario({ app: { accept: () => false } })
    s.propose(s.network.block(['a']))
    s.expectPrevote(undefined)
    goToRound1(s)
    expect([s.state.proposal, s.state.incoming?.block, s.state.incoming?.parts]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
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

  it('behavior: this node proposes a block that became valid too late for a lock', () => {
    const s = createScenario({ proposes: 1 })
    const block = s.network.block(['a'])
    s.propose(block)
    s.prevote(block, undefined)
    s.timeOut()
    const vote = s.others[2]?.vote({ blockId: block.blockId })
    if (vote !== undefined) s.me.receive({ kind: 'vote', vote })
    s.precommit(undefined, undefined)
    s.timeOut()
    const sent = s.me.sent.find((message) => message.kind === 'proposal')
    const wanted = { round: 1, polRound: 0, blockId: block.blockId, timestamp: s.network.clock.now() }
    expect(sent?.kind === 'proposal' && sent.proposal).toMatchObject(wanted)
    s.expectPrevote(block)
  })

  it('behavior: a node that skips rounds accepts the proposal of the proposer of the new round', () => {
    const s = createScenario()
    s.precommitIn(2, undefined, s.network.block(), undefined)
    const last = s.me.events.findLast(({ type }) => type === 'NewRound')
    expect(last?.type === 'NewRound' && last.proposer.address).toEqual(s.network.proposerOf(2).address)
    const block = s.network.block(['a'])
    s.propose(block)
    expect(s.state.proposal?.blockId).toEqual(block.blockId)
  })
})

describe('one block in two encodings', () => {
  /** Returns the same block, with the same hash, in another encoding: the encoding has an unknown field at its end. */
  function encodedAgain({ block }: VirtualBlock): VirtualBlock {
    const parts = makePartSet(concatBytes(Block.encode(block), Uint8Array.of(0xa0, 0x06, 1)))
    return { block, parts, blockId: { hash: hashBlock(block), partSetHeader: parts.header } }
  }

  it('behavior: a node with the parts of one encoding fetches the parts of the other encoding, which was decided, and commits the block', () => {
    const s = createScenario()
    const first = s.network.block(['a'])
    const second = encodedAgain(first)
    s.propose(first)
    s.expectPrevote(first)
    s.prevote(second, second, second)
    expect([s.state.locked, s.state.valid, s.state.incoming?.block]).toEqual([undefined, undefined, undefined])
    s.precommit(second, second, second)
    expect([s.state.step, s.me.commits]).toEqual([RoundStep.commit, []])
    s.sendParts(first)
    expect(s.me.commits).toEqual([])
    s.sendParts(second)
    expect(s.me.commits.map(({ seenCommit }) => seenCommit.blockId)).toEqual([second.blockId])
  })

  it('behavior: a proposal that is not in the encoding of the block gets the prevote nil', () => {
    const s = createScenario()
    s.propose(encodedAgain(s.network.block(['a'])))
    s.expectPrevote(undefined)
    expect(s.me.effects).toContainEqual(
      expect.objectContaining({
        message: 'Prevoting nil: the proposal block is invalid',
        fields: expect.objectContaining({ reason: 'the bytes of the parts differ from the encoding of the block' }),
      }),
    )
  })

  it('behavior: a lock on one encoding does not hold the parts of the other encoding', () => {
    const s = createScenario()
    const first = s.network.block(['a'])
    const second = encodedAgain(first)
    s.propose(first)
    s.prevote(first, first, first)
    s.expectPrecommit(first)
    // In this test, validators with more than a third of the power are Byzantine, and vote for both encodings of the
    // block. So the chain can decide the block in the second encoding, which this node has not received.
    s.precommitIn(1, second, second, second)
    expect(s.me.commits).toEqual([])
    s.sendParts(second)
    expect(s.me.commits.map(({ seenCommit }) => seenCommit.blockId)).toEqual([second.blockId])
  })
})

describe('parts', () => {
  it('behavior: a block in parts of another size gets the prevote nil, and is locked after a polka', () => {
    const s = createScenario()
    const { block, blockId } = s.network.block(['a'])
    const parts = makePartSet(Block.encode(block), 100)
    const small = { block, parts, blockId: { ...blockId, partSetHeader: parts.header } }
    s.propose(small)
    s.expectPrevote(undefined)
    s.prevote(small, small, small)
    s.expectPrecommit(small)
  })

  it('error: after any error of the decoder consensus continues without a block', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    // No input is known for which the decoder throws an error without a code. So the test replaces the decoder by a
    // function that throws such an error.
    const decode = vi.spyOn(Block, 'decode').mockImplementation(() => {
      throw new RangeError('Invalid array length')
    })
    try {
      s.propose(block)
    } finally {
      decode.mockRestore()
    }
    const notes = s.me.effects.flatMap((effect) => (effect.type === 'note' ? [effect] : []))
    expect(notes.at(-1)).toMatchObject({
      message: 'The proposal block cannot be decoded',
      fields: { reason: 'Invalid array length' },
    })
    expect(s.state.incoming?.block).toBeUndefined()
    s.timeOut()
    s.expectPrevote(undefined)
  })

  /** Returns the size in bytes of a block whose only transaction has `bytes` bytes. */
  const sizeOf = (bytes: number): number => createScenario().network.block(['x'.repeat(bytes)]).parts.byteSize

  it.each([
    { over: 0, prevotes: true },
    { over: 1, prevotes: false },
  ])('behavior: parts of a block that is $over bytes too long', ({ over, prevotes }) => {
    // The number of parts is within the limit. So the node finds out that the block is too long only when it has
    // received all parts.
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

  it('behavior: without a limit in the parameters, blocks of any length are accepted', () => {
    const s = createScenario({ maxBytes: -1n })
    const block = s.network.block(['x'.repeat(1000)])
    s.propose(block)
    s.expectPrevote(block)
  })

  it('behavior: a part that does not fit is a fault only in its own round', () => {
    const s = createScenario()
    const [wanted, other] = [s.network.block(['a']), s.network.block(['b'])]
    s.me.receive({ kind: 'proposal', proposal: s.network.proposerOf(0).propose(wanted) })
    const [[part], [own]] = [other.parts.parts, wanted.parts.parts]
    if (part === undefined || own === undefined) throw new Error('parts')
    s.me.receive({ kind: 'blockPart', height: 1, round: 1, part })
    s.me.receive({ kind: 'blockPart', height: 1, round: 0, part })
    s.me.receive({ kind: 'blockPart', height: 2, round: 0, part: own })
    expect(judgements(s).map(({ outcome }) => outcome)).toEqual(['accept', 'ignore', 'reject', 'ignore'])
    expect(s.state.incoming?.block).toBeUndefined()
  })

  it('error: ASA-2024-011 (GHSA-p7mv-53f2-4cwj): the vote of a validator that does not exist is refused before its extension is judged', () => {
    const s = createScenario({ extensionsFrom: 1 })
    const block = s.network.block(['a'])
    const voter = s.others[0] as VirtualNode
    for (const validatorIndex of [4, 1000, 2_147_483_647]) {
      const vote = voter.vote({ type: precommit, blockId: block.blockId, validatorIndex })
      s.me.receive({ kind: 'vote', vote })
    }
    const refusal = expect.objectContaining({ outcome: 'reject', code: VOTE_REFUSALS.invalidIndex })
    expect(judgements(s)).toEqual([refusal, refusal, refusal])
    expect(s.me.effects.filter(({ type }) => type === 'verifyVoteExtension')).toEqual([])
  })

  it('behavior: a block that has a polka before it arrives is prevoted and locked at once', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.prevote(block, block, block)
    expect([s.state.step, s.me.sent]).toEqual([RoundStep.propose, []])
    s.propose(block)
    s.expectPrevote(block)
    s.expectPrecommit(block)
    expect(s.state.locked?.round).toBe(0)
  })

  it('behavior: after a polka for a missing block the machine waits for more prevotes', () => {
    const s = createScenario()
    s.timeOut()
    const block = s.network.block(['a'])
    s.prevote(block, block, block)
    expect(s.state.step).toBe(RoundStep.prevoteWait)
    expect(s.myVote(precommit)).toBeUndefined()
    // The node publishes the event Unlock only when it precommits. It publishes the event even though it was not
    // locked.
    expect(s.eventTypes()).not.toContain('Unlock')
    s.timeOut()
    expect(s.myVote(precommit)).toEqual(ZERO_BLOCK_ID)
    expect(s.eventTypes().filter((type) => type === 'Unlock').length).toBe(1)
  })
})

describe('a decided block', () => {
  it('behavior: a decided block takes the place of the proposed block', () => {
    const s = createScenario()
    const [proposed, decided] = [s.network.block(['a']), s.network.block(['b'])]
    s.propose(proposed)
    s.precommit(decided, decided, decided)
    expect([s.state.step, s.state.incoming?.block]).toEqual([RoundStep.commit, undefined])
    s.sendParts(decided)
    expect(s.me.commits.map(({ block }) => block.data.txs.length)).toEqual([1])
    expect(s.state.chain.lastBlockId).toEqual(decided.blockId)
  })

  it('error: an invalid decided block halts the machine', () => {
    const s = createScenario({ app: { validate: () => 'bad' } })
    const block = s.network.block(['a'])
    s.precommit(block, block, block)
    expect(() => s.sendParts(block)).toThrow(expect.objectContaining({ code: MACHINE_ERRORS.committedInvalidBlock }))
  })

  it.each([
    [0, false],
    [1, true],
    [2, false],
  ])(
    'behavior: with extensions from height %i, the block is stored with extensions: %s',
    (extensionsFrom, extended) => {
      const s = createScenario({ extensionsFrom })
      const block = s.network.block(['a'])
      s.propose(block)
      s.prevote(block, block, block)
      s.precommit(block, block, block)
      const calls = s.me.effects.flatMap((effect) => (effect.type === 'commitBlock' ? [effect.extended] : []))
      expect(calls).toEqual([extended])
    },
  )
})

describe('a block with more items than a proposal may have', () => {
  const options = { maxProposedItems: 50, maxAgreedItems: 200 }
  const open = (count = 100) => {
    const s = createScenario({ options })
    return { s, block: s.network.block(Array.from({ length: count }, (_, i) => `${i}`)) }
  }
  const notes = (s: Scenario): unknown[] =>
    s.me.effects.flatMap((effect) => (effect.type === 'note' && effect.level === 'error' ? [effect.fields.reason] : []))

  it('behavior: a block with too many items is not prevoted, and consensus continues', () => {
    const { s, block } = open()
    s.propose(block)
    expect(s.state.incoming?.parts.isComplete).toBe(true)
    expect(notes(s)).toEqual(['more than 50 elements and nested messages'])
    s.timeOut()
    s.expectPrevote(undefined)
    s.prevote(undefined, undefined, undefined)
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    const small = s.network.block(['a'])
    s.propose(small)
    s.expectPrevote(small)
  })

  it('behavior: a block with too many elements is locked and precommitted if it has +2/3 prevotes', () => {
    const { s, block } = open()
    s.propose(block)
    s.timeOut()
    s.prevote(block, block, block)
    s.expectPrevote(undefined)
    s.expectPrecommit(block)
    expect(s.state.locked?.hash).toEqual(block.blockId.hash)
  })

  it('behavior: a block that others are locked on is prevoted in the next round', () => {
    const { s, block } = open()
    s.timeOut()
    s.prevote(block, block, block)
    s.timeOut()
    s.expectPrecommit(undefined)
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    s.propose(block, { polRound: 0 })
    s.expectPrevote(block)
  })

  it('behavior: a block that others are locked on is prevoted as soon as their prevotes have arrived', () => {
    const { s, block } = open()
    goToRound1(s)
    s.propose(block, { polRound: 0 })
    expect([s.state.step, s.state.incoming?.block]).toEqual([RoundStep.propose, undefined])
    s.prevoteIn(0, block, block, block)
    s.expectPrevote(block)
  })

  it.each(['before', 'after'])('behavior: a decided block is committed, with its parts %s the decision', (when) => {
    const { s, block } = open()
    if (when === 'before') s.propose(block)
    s.precommit(block, block, block)
    if (when === 'after') s.sendParts(block)
    expect(s.me.commits.map(({ block: { data } }) => data.txs.length)).toEqual([100])
  })

  it.each(['before', 'after'])(
    'error: a decided block with more items than the heap can hold is refused, with its parts %s the decision',
    (when) => {
      const { s, block } = open(201)
      const decide = (): void => {
        if (when === 'before') s.propose(block)
        s.precommit(block, block, block)
        if (when === 'after') s.sendParts(block)
      }
      const error = {
        code: MACHINE_ERRORS.decidedTooLarge,
        data: { height: 1, size: block.parts.byteSize, limit: 200 },
      }
      expect(decide).toThrow(expect.objectContaining(error))
    },
  )

  it('behavior: the limit of items does not apply to the block that this node made', () => {
    const txs = Array.from({ length: 100 }, (_, i) => Uint8Array.of(i))
    const s = createScenario({ options, proposes: 0, app: { txs: () => txs } })
    expect(s.state.incoming?.block?.data.txs.length).toBe(100)
  })
})

describe('a second vote', () => {
  it('behavior: a second vote is sent to no peer', () => {
    const s = createScenario()
    const liar = s.others[0] as VirtualNode
    const [a, b] = [s.network.block(['a']), s.network.block(['b'])]
    s.me.receive({ kind: 'vote', vote: liar.vote({ type: prevote, blockId: a.blockId }) })
    const reports = () =>
      s.me.effects.filter(
        (effect) =>
          (effect.type === 'publish' && effect.event.type === 'Vote') ||
          (effect.type === 'gossip' && effect.hint.type === 'hasVote'),
      ).length
    expect(reports()).toBe(2)
    s.me.receive({ kind: 'vote', vote: liar.vote({ type: prevote, blockId: b.blockId }) })
    expect([reports(), s.me.conflicts.length]).toEqual([2, 1])
  })
})
