import { createVirtualClock, noopLogger } from '@org/runtime'
import { SignedMsgType } from '@org/types'
import { expect, it } from 'vitest'
import { hasEffect } from '../../src/consensus/driver/has-effect.ts'
import { createItemProcessor } from '../../src/consensus/driver/process-item.ts'
import type { ConsensusMessage } from '../../src/consensus/machine/index.ts'
import { createScenario, type Scenario } from './scenario.ts'
import type { VirtualBlock, VirtualNode } from './virtual-network.ts'

const { prevote, precommit } = SignedMsgType
const vote = (node: VirtualNode, fields: Parameters<VirtualNode['vote']>[0]): ConsensusMessage => ({
  kind: 'vote',
  vote: node.vote(fields),
})
const parts = ({ parts }: VirtualBlock, height = 1): readonly ConsensusMessage[] =>
  Array.from({ length: parts.header.total }, (_, index) => {
    const part = parts.part(index)
    if (part === undefined) throw new Error('the block has all its parts')
    return { kind: 'blockPart', height, round: 0, part }
  })

/** Processes messages of a peer. Returns the number of messages written to the WAL, and of those fed to the machine. */
async function process(s: Scenario, messages: readonly ConsensusMessage[]) {
  const counts = { inWal: 0, fed: 0 }
  const processor = createItemProcessor({
    gate: { admit: async () => 'pass', costOf: () => 0 },
    exactCheckQueue: { keep: () => undefined, isGranted: () => false } as never,
    wal: () => ({ append: () => void counts.inWal++ }) as never,
    outbox: { markDirty: () => undefined },
    feeder: { feed: async () => void counts.fed++ },
    state: () => s.state,
    judgement: () => undefined,
    isStopped: () => false,
    clock: createVirtualClock(),
    logger: noopLogger,
  })
  for (const message of messages) await processor({ kind: 'peer', peerId: 'p', message, size: 1 })
  return counts
}

it('behavior: messages that change nothing are not in the WAL, and the machine judges them all the same', async () => {
  const s = createScenario()
  const block = s.network.block(['a'])
  const [a] = s.others as [VirtualNode]
  const unexpected = parts(block)
  expect(unexpected.map((message) => hasEffect(message, s.state, 'p'))).not.toContain(true)
  s.propose(block)
  s.prevote(block)
  const known = a.vote({ blockId: block.blockId })
  const worthless: readonly ConsensusMessage[] = [
    ...parts(block),
    ...parts(block, 2),
    { kind: 'proposal', proposal: s.network.proposerOf(0).propose(block, { height: 1, round: 0, polRound: -1 }) },
    { kind: 'proposal', proposal: s.network.proposerOf(1).propose(block, { height: 1, round: 1, polRound: -1 }) },
    { kind: 'vote', vote: known },
    { kind: 'vote', vote: { ...known, validatorIndex: 9 } },
    { kind: 'vote', vote: { ...known, validatorAddress: new Uint8Array(20) } },
    vote(a, { height: 2 }),
    vote(a, { height: 0, type: precommit }),
  ]
  const before = [s.eventTypes().length, s.me.sent.length, s.state.step, s.state.votes.rounds]
  for (const message of worthless) {
    expect(hasEffect(message, s.state, 'p')).toBe(false)
    const count = s.me.effects.length
    s.me.receive(message, 'p')
    expect(s.me.effects.slice(count).map(({ type }) => type)).toEqual(['judgement'])
  }
  expect([s.eventTypes().length, s.me.sent.length, s.state.step, s.state.votes.rounds]).toEqual(before)
  expect(await process(s, worthless)).toEqual({ inWal: 0, fed: worthless.length })
})

it('behavior: parts that do not belong to the awaited block are not in the WAL', async () => {
  const s = createScenario()
  const block = s.network.block(['a'])
  s.me.receive({
    kind: 'proposal',
    proposal: s.network.proposerOf(0).propose(block, { height: 1, round: 0, polRound: -1 }),
  })
  const [awaited] = parts(block)
  if (awaited?.kind !== 'blockPart') throw new Error('the block has a part')
  const { part } = awaited
  const worthless: readonly ConsensusMessage[] = [
    ...parts(s.network.block(['b'])),
    { ...awaited, round: 5, part: { ...part, index: 5, proof: { ...part.proof, index: 5 } } },
    { ...awaited, round: 5, part: { ...part, bytes: new Uint8Array(part.bytes.length) } },
    { ...awaited, round: 5, part: { ...part, proof: { ...part.proof, total: 2 } } },
  ]
  expect(await process(s, worthless)).toEqual({ inWal: 0, fed: worthless.length })
  for (const message of worthless) s.me.receive(message, 'p')
  expect(s.state.incoming?.parts.count).toBe(0)
  expect(await process(s, [awaited])).toEqual({ inWal: 1, fed: 1 })
})

it('behavior: votes of a round that the peer may not open, or not of the last commit, are not in the WAL', async () => {
  const s = createScenario()
  const [a, b] = s.others as [VirtualNode, VirtualNode]
  for (const round of [5, 6]) s.me.receive(vote(a, { round }), 'p')
  const refused = vote(b, { round: 7 })
  expect(await process(s, [refused, vote(b, { round: 5 })])).toEqual({ inWal: 1, fed: 2 })
  s.me.receive(refused, 'p')
  expect(s.state.votes.prevotes(7)).toBeUndefined()
  expect(hasEffect(refused, s.state, 'q')).toBe(true)

  const block = s.network.block(['a'])
  s.propose(block)
  s.precommit(block, block, block)
  expect(s.state.height).toBe(2)
  const late = vote(b, { height: 1, round: 1, type: precommit })
  expect(hasEffect(late, s.state, 'p')).toBe(false)
  const { length } = s.me.effects
  s.me.receive(late, 'p')
  expect(s.me.effects.slice(length).map(({ type }) => type)).toEqual(['judgement'])
})

it('behavior: messages that the machine may use are in the WAL', async () => {
  const s = createScenario()
  const block = s.network.block(['a'])
  const other = s.network.block(['b'])
  const [a, b] = s.others as [VirtualNode, VirtualNode]
  s.me.receive(vote(a, { blockId: block.blockId }))
  const useful: readonly ConsensusMessage[] = [
    { kind: 'proposal', proposal: s.network.proposerOf(0).propose(block, { height: 1, round: 0, polRound: -1 }) },
    vote(a, { blockId: other.blockId }),
    vote(b, {}),
    vote(a, { round: 5, type: precommit }),
  ]
  expect(await process(s, useful)).toEqual({ inWal: useful.length, fed: useful.length })
  s.propose(block)
  s.precommit(block, block)
  s.me.receive(vote(s.me, { type: precommit, blockId: block.blockId }))
  expect(s.state.height).toBe(2)
  const late = vote(s.others[2] as VirtualNode, { height: 1, type: precommit, blockId: block.blockId })
  expect(hasEffect(late, s.state, 'p')).toBe(true)
  s.me.receive(late)
  expect(hasEffect(late, s.state, 'p')).toBe(false)
})

it('behavior: a peer cannot fill the WAL with two conflicting votes of a faulty validator', async () => {
  const s = createScenario()
  const [a, b, c] = [s.network.block(['a']), s.network.block(['b']), s.network.block(['c'])]
  const [liar] = s.others as [VirtualNode]
  s.me.receive(vote(liar, { blockId: a.blockId }))
  const [second, third] = [vote(liar, { blockId: b.blockId }), vote(liar, { blockId: c.blockId })]
  expect(hasEffect(second, s.state, 'p')).toBe(true)
  s.me.receive(second)
  expect(s.me.conflicts.length).toBe(1)
  // The vote `second` is enough for the evidence, and the machine keeps neither `second` nor `third`.
  expect(await process(s, [second, third, second])).toEqual({ inWal: 0, fed: 3 })
  // If a peer claims +2/3 for a block, the machine keeps a conflicting vote for this block.
  s.me.feed({ type: 'peerMaj23', peerId: 'p', height: 1, round: 0, voteType: prevote, blockId: c.blockId })
  expect(await process(s, [third])).toEqual({ inWal: 1, fed: 1 })
  s.me.receive(third)
  expect(await process(s, [second, third])).toEqual({ inWal: 0, fed: 2 })
})

it('behavior: a conflicting vote for the block with +2/3 is in the WAL, because it becomes a part of the commit', async () => {
  const s = createScenario()
  const [a, b] = [s.network.block(['a']), s.network.block(['b'])]
  const [liar, second, third] = s.others as [VirtualNode, VirtualNode, VirtualNode]
  s.me.receive(vote(liar, { blockId: a.blockId }))
  s.me.receive(vote(liar, {}))
  for (const node of [second, third, s.me]) s.me.receive(vote(node, { blockId: b.blockId }), 'p')
  expect(s.state.votes.prevotes(0)?.majority).toEqual(b.blockId)
  const late = vote(liar, { blockId: b.blockId })
  expect(await process(s, [late])).toEqual({ inWal: 1, fed: 1 })
  s.me.receive(late)
  expect(await process(s, [late])).toEqual({ inWal: 0, fed: 1 })
})
