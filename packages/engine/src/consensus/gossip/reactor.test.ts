import { createSeededRandom, createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { BitSet, makePartSet, type Part, Vote } from '@org/types'
import { ConsensusMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { scriptedPeer, settle } from '../../../test/support/scripted-peer.ts'
import { CONTRIBUTIONS_OF_GOOD_PEER, DEFAULT_CONSENSUS_GOSSIP_OPTIONS } from './options.ts'
import type { GossipConsensus, View } from './ports.ts'
import { createConsensusGossip } from './reactor.ts'

type Gossip = Parameters<GossipConsensus['setGossip']>[0]

/** A node at height 5 with nothing to pass on, and one peer. */
function begun() {
  const clock = createVirtualClock()
  const good: string[] = []
  const handedOn: string[] = []
  const ended: string[] = []
  let gossip: Gossip | undefined
  const view = {
    height: 5,
    round: 0,
    step: 1,
    startTime: clock.now(),
    lastCommit: { options: { round: 0 }, size: 4 },
    validators: { validators: [1, 2, 3, 4] },
    chain: { initialHeight: 1 },
  }
  const reactor = createConsensusGossip(DEFAULT_CONSENSUS_GOSSIP_OPTIONS, {
    consensus: {
      roundState: () => view as unknown as View,
      isDurable: () => true,
      receive: async (_from: string, { kind }: { kind: string }) => void handedOn.push(kind),
      receiveMaj23: async () => undefined,
      forget: (peerId: string) => void ended.push(`forgot ${peerId}`),
      leave: (peerId: string) => void ended.push(`${peerId} left`),
      setGossip: (given: Gossip) => {
        gossip = given
      },
    } as unknown as GossipConsensus,
    blockStore: { base: () => 0, height: () => 0 } as never,
    peers: {
      stop: ({ id }, { message }) => void ended.push(`stopped ${id}: ${message}`),
      markGood: ({ id }) => void good.push(id),
    },
    clock,
    random: createSeededRandom(1),
    logger: noopLogger,
    metrics: noopMetrics,
  })
  const peer = scriptedPeer('one')
  const steps = (): number =>
    peer.sent.filter(({ message }) => ConsensusMessage.decode(message).sum?.case === 'newRoundStep').length
  return { clock, good, handedOn, ended, reactor, peer, steps, gossip: () => gossip as Gossip }
}

test('behavior: a step that could not be sent is sent at the next attempt', async () => {
  const { clock, reactor, peer, steps } = begun()
  peer.room = 0
  reactor.reactor.addPeer(peer)
  void reactor.start()
  await settle()
  // The message that reports the step waits for room in the peer's queue. `fail` ends this wait, and the message is
  // not sent.
  peer.fail()
  await settle()
  peer.room = Number.POSITIVE_INFINITY
  expect(steps()).toBe(0)
  clock.advance(DEFAULT_CONSENSUS_GOSSIP_OPTIONS.relookMs)
  expect(steps()).toBe(1)
  clock.advance(DEFAULT_CONSENSUS_GOSSIP_OPTIONS.relookMs)
  expect(steps()).toBe(1)
  await reactor.stop()
})

test('error: a peer with too many invalid signatures is stopped, and its other messages are dropped', async () => {
  const { reactor, peer, ended, gossip } = begun()
  reactor.reactor.addPeer(peer)
  void reactor.start()
  const forge = (): void =>
    gossip().judgement(
      'one',
      { kind: 'vote', vote: Vote.create({ height: 5 }) },
      {
        outcome: 'reject',
        code: 'VOTE_INVALID_SIGNATURE',
        reason: 'invalid signature',
        fault: 'forged',
      },
    )
  for (let i = 0; i < DEFAULT_CONSENSUS_GOSSIP_OPTIONS.maxInvalidSignatures; i++) forge()
  expect(ended).toEqual([])
  forge()
  expect(ended).toEqual(['forgot one', 'stopped one: too many invalid signatures'])
  await reactor.stop()
})

test('behavior: consensus drops the waiting message of a peer that disconnected', async () => {
  const { reactor, peer, ended } = begun()
  reactor.reactor.addPeer(peer)
  void reactor.start()
  reactor.reactor.removePeer(peer, undefined)
  expect(ended).toEqual(['one left'])
  await reactor.stop()
})

test('behavior: a peer is marked good each time it has sent a number of useful votes', async () => {
  const { reactor, peer, good, gossip } = begun()
  reactor.reactor.addPeer(peer)
  void reactor.start()
  const bring = (count: number, outcome: 'accept' | 'ignore'): void => {
    for (let i = 0; i < count; i++) {
      const vote = Vote.create({ height: 5, round: 0, type: 1, validatorIndex: i % 4 })
      gossip().judgement(peer.id, { kind: 'vote', vote }, { outcome, reason: '' } as never)
    }
  }
  bring(CONTRIBUTIONS_OF_GOOD_PEER - 1, 'accept')
  bring(100, 'ignore')
  expect(good).toEqual([])
  bring(1, 'accept')
  expect(good).toEqual(['one'])
  bring(CONTRIBUTIONS_OF_GOOD_PEER, 'accept')
  expect(good).toEqual(['one', 'one'])
  await reactor.stop()
})

test('behavior: during block sync, votes and parts of peers are ignored, and their round states are recorded', async () => {
  const { reactor, peer, handedOn } = begun()
  reactor.reactor.addPeer(peer)
  const receive = (channel: number, sum: ConsensusMessage['sum']) =>
    reactor.reactor.receive(peer, channel, ConsensusMessage.encode({ sum }))
  const vote = Vote.create({
    height: 5,
    type: 1,
    validatorAddress: new Uint8Array(20).fill(1),
    signature: Uint8Array.of(1),
  })
  const step = { height: 7, round: 0, step: 1, secondsSinceStartTime: 0, lastCommitRound: 0 }
  expect(receive(0x20, { case: 'newRoundStep', value: step })).toEqual({ type: 'accept' })
  expect(reactor.heightOf(peer.id)).toBe(7)
  const pol = { height: 5, proposalPolRound: 0, proposalPol: { bits: 4, elems: [1n] } }
  expect(await receive(0x22, { case: 'vote', value: { vote } })).toMatchObject({ type: 'ignore' })
  expect(await receive(0x21, { case: 'proposalPol', value: pol })).toMatchObject({ type: 'ignore' })
  expect(handedOn).toEqual([])
  void reactor.start()
  expect(await receive(0x22, { case: 'vote', value: { vote } })).toEqual({ type: 'accept' })
  expect(handedOn).toEqual(['vote'])
  await reactor.stop()
})

test('error: ASA-2025-002 (GHSA-r3r4-g7hq-pq4f): a part with the proof of another part is refused, and not recorded as received', async () => {
  const { reactor, peer, handedOn } = begun()
  reactor.reactor.addPeer(peer)
  void reactor.start()
  const receive = (channel: number, sum: ConsensusMessage['sum']) =>
    reactor.reactor.receive(peer, channel, ConsensusMessage.encode({ sum }))
  const parts = makePartSet(new Uint8Array(200_000).fill(5))
  const part = (index: number): Part => parts.part(index) as Part
  const known = () => reactor.peerStates()[0]?.state
  const step = { height: 5, round: 0, step: 3, secondsSinceStartTime: 0, lastCommitRound: 0 }
  const blockPartSetHeader = parts.header
  const blockParts = new BitSet(parts.header.total).toWords()
  await receive(0x20, { case: 'newRoundStep', value: step })
  await receive(0x20, {
    case: 'newValidBlock',
    value: { height: 5, round: 0, blockPartSetHeader, blockParts, isCommit: true },
  })
  const refused = { case: 'blockPart', value: { height: 5, round: 0, part: { ...part(0), index: 2 } } } as const
  expect(await receive(0x21, refused)).toMatchObject({ type: 'reject' })
  expect(handedOn).toEqual([])
  expect(known()).toMatchObject({ round_state: { proposal_block_parts: '____' } })
  // The same part with its correct index is accepted and recorded.
  expect(await receive(0x21, { case: 'blockPart', value: { height: 5, round: 0, part: part(0) } })).toEqual({
    type: 'accept',
  })
  expect(handedOn).toEqual(['blockPart'])
  expect(known()).toMatchObject({ round_state: { proposal_block_parts: 'x___' } })
  await reactor.stop()
})
