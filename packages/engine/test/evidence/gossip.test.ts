import { type Budget, createBudget, createVirtualClock, noopLogger } from '@org/runtime'
import { Evidence, EvidenceList } from '@org/types'
import { concatList } from '@org/types/bytes'
import { Writer } from '@org/types/schema'
import { expect, test } from 'vitest'
import { createEvidenceGossip, EVIDENCE_CHANNEL } from '../../src/evidence/gossip/index.ts'
import { EVIDENCE_ERRORS, EvidenceError } from '../../src/evidence/index.ts'
import { recordedEvidence } from '../support/recorded-evidence.ts'
import { type ScriptedPeer, scriptedPeer, settle } from '../support/scripted-peer.ts'

const FIRST = recordedEvidence()
const HEIGHT = FIRST.sum.value.voteA?.height ?? 0

function open(exactChecks?: Budget) {
  const clock = createVirtualClock()
  const pending: Evidence[] = []
  const listeners = new Set<(evidence: Evidence) => void>()
  const heights = new Map<string, number>()
  let onHeight: (id: string) => void = () => undefined
  let refusal: Error | undefined
  let looks = 0
  const gossip = createEvidenceGossip({
    pool: {
      addEvidence: async (evidence) => {
        if (refusal !== undefined) throw refusal
        pending.push(evidence)
        for (const listener of listeners) listener(evidence)
      },
      gossip: () => pending,
      onEvidence: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    heights: {
      heightOf: (id) => {
        looks++
        return heights.get(id) ?? 0
      },
      onHeight: (listener) => {
        onHeight = listener
        return () => undefined
      },
    },
    ...(exactChecks && { exactChecks }),
    maxAgeNumBlocks: () => 100n,
    clock,
    logger: noopLogger,
  })
  void gossip.start()
  const add = (id: string, height: number): ScriptedPeer => {
    const peer = scriptedPeer(id)
    heights.set(id, height)
    gossip.reactor.addPeer(peer)
    return peer
  }
  return {
    clock,
    gossip,
    add,
    gossiped: (): readonly Evidence[] => pending,
    /** The number of times that the gossip asked whether a peer needs some evidence. */
    looks: () => looks,
    setHeight: (id: string, height: number) => {
      heights.set(id, height)
      onHeight(id)
    },
    refuse: (error: Error) => {
      refusal = error
    },
    receive: (peer: ScriptedPeer, bytes: Uint8Array) => gossip.reactor.receive(peer, EVIDENCE_CHANNEL, bytes),
  }
}

const bytes = EvidenceList.encode({ evidence: [FIRST] })

test('behavior: while the budget for exact checks is spent, evidence waits, and is not refused', async () => {
  const clock = createVirtualClock()
  const budget = createBudget({ burst: 1, perSecond: 1 }, clock)
  budget.spend(3)
  const { add, receive } = open(budget)
  const [from, ahead] = [add('from', HEIGHT + 1), add('ahead', HEIGHT + 1)]
  const verdict = receive(from, bytes)
  await settle()
  expect([ahead.sent.length, budget.waiting()]).toEqual([0, 1])
  clock.advance(3000)
  expect(await verdict).toEqual({ type: 'accept' })
  await settle()
  expect(ahead.sent.length).toBe(1)
})

test('default: evidence is sent to peers above its height, and not back to its sender', async () => {
  const { add, receive, setHeight } = open()
  const [from, ahead, behind, last, old] = [
    add('from', HEIGHT + 1),
    add('ahead', HEIGHT + 1),
    add('behind', HEIGHT),
    add('last', HEIGHT + 100),
    add('old', HEIGHT + 101),
  ]
  expect(await receive(from, bytes)).toEqual({ type: 'accept' })
  await settle()
  expect([from, ahead, behind, last, old].map(({ sent }) => sent.length)).toEqual([0, 1, 0, 1, 0])
  expect(ahead.sent[0]?.message).toEqual(bytes)
  setHeight('behind', HEIGHT + 1)
  await settle()
  expect(behind.sent.length).toBe(1)
})

test('behavior: evidence does not keep the other bytes of its message in memory', async () => {
  const { add, receive, gossiped } = open()
  const unknown = new Writer()
  unknown.uint32((100 << 3) | 2)
  unknown.uint32(900_000)
  const padded = concatList([bytes, unknown.finish(), new Uint8Array(900_000)])
  expect(await receive(add('from', HEIGHT + 1), padded)).toEqual({ type: 'accept' })
  const [kept] = gossiped()
  expect(kept).toEqual(Evidence.decode(Evidence.encode(FIRST)))
  const vote = kept?.sum?.case === 'duplicateVoteEvidence' ? kept.sum.value.voteA : undefined
  expect(vote?.signature.buffer.byteLength).toBeLessThan(1024)
})

test('behavior: pending evidence is sent again after ten seconds, and a failed send is repeated', async () => {
  const { add, receive, clock } = open()
  const [from, peer] = [add('from', HEIGHT + 1), add('peer', HEIGHT + 1)]
  peer.room = 0
  await receive(from, bytes)
  await settle()
  peer.fail()
  await settle()
  expect(peer.sent.length).toBe(0)
  peer.room = 10
  clock.advance(10_000)
  await settle()
  expect(peer.sent.length).toBe(1)
  clock.advance(10_000)
  await settle()
  expect(peer.sent.length).toBe(2)
})

test('behavior: evidence that is too long for a message is not sent, and does not stop the evidence after it', async () => {
  const { add, gossiped } = open()
  const { voteA } = FIRST.sum.value
  const long = { ...voteA, extension: new Uint8Array(1_048_576) }
  const value = { ...FIRST.sum.value, voteA: long } as typeof FIRST.sum.value
  ;(gossiped() as Evidence[]).push({ sum: { case: 'duplicateVoteEvidence', value } }, FIRST)
  const peer = add('peer', HEIGHT + 1)
  await settle()
  expect(peer.sent.map(({ message }) => message)).toEqual([bytes])
})

test('cost: sending much evidence to a peer takes time in proportion to its number', async () => {
  const { add, receive, looks } = open()
  const from = add('from', HEIGHT)
  for (let i = 0; i < 200; i++) await receive(from, bytes)
  const before = looks()
  const peer = add('peer', HEIGHT + 1)
  await settle()
  expect(peer.sent.length).toBe(200)
  expect(looks() - before).toBeLessThan(3 * 200)
})

test('behavior: evidence for which there is no room is ignored, and the rest of its message is taken', async () => {
  const { add, receive, refuse } = open()
  const [from, peer] = [add('from', HEIGHT + 1), add('peer', HEIGHT + 1)]
  refuse(new EvidenceError(EVIDENCE_ERRORS.full, 'no room'))
  expect(await receive(from, bytes)).toMatchObject({ type: 'ignore', code: 'EVIDENCE_POOL_FULL' })
  await settle()
  expect(peer.sent.length).toBe(0)
})

test('error: a message of half a million empty items is read up to the limit, and costs the connection', async () => {
  const { gossip, add } = open()
  const peer = add('bomb', HEIGHT)
  const empties = new Uint8Array(1_000_000).map((_, at) => (at % 2 === 0 ? 0x0a : 0))
  expect(await gossip.reactor.receive(peer, EVIDENCE_CHANNEL, empties)).toMatchObject({
    type: 'reject',
    reason: 'more than 100000 elements and nested messages',
  })
})

test('error: a set of validators in many short parts is not added up after each part', async () => {
  const { gossip, add } = open()
  const peer = add('parts', HEIGHT)
  const field = (number: number, contents: Uint8Array): Uint8Array => {
    const writer = new Writer()
    writer.uint32((number << 3) | 2)
    writer.uint32(contents.length)
    return concatList([writer.finish(), contents])
  }
  const empties = (number: number, count: number): Uint8Array =>
    concatList(Array.from({ length: count }, () => field(number, new Uint8Array(0))))
  // The numbers of the fields of the message, from the outermost to the innermost: evidence 1,
  // light_client_attack_evidence 2, conflicting_block 1, validator_set 2, validators 1. Each field contains the next
  // one.
  const sets = concatList([field(2, empties(1, 2000)), empties(2, 2000)])
  expect(await gossip.reactor.receive(peer, EVIDENCE_CHANNEL, field(1, field(2, field(1, sets))))).toMatchObject({
    type: 'reject',
    reason: 'more than 100000 elements and nested messages',
  })
})

test('error: garbage and evidence that proves nothing cost the connection; other faults do not', async () => {
  const { add, receive, refuse } = open()
  const peer = add('a', HEIGHT + 1)
  expect(await receive(peer, Uint8Array.of(0xff))).toMatchObject({ type: 'reject' })
  expect(await receive(peer, EvidenceList.encode({ evidence: [{ sum: undefined }] }))).toMatchObject({ type: 'reject' })
  refuse(new EvidenceError(EVIDENCE_ERRORS.invalid, 'Invalid evidence'))
  expect(await receive(peer, bytes)).toEqual({
    type: 'reject',
    code: EVIDENCE_ERRORS.invalid,
    reason: 'Invalid evidence',
    points: 20,
  })
  refuse(new Error('disk'))
  expect(await receive(peer, bytes)).toEqual({ type: 'accept' })
})
