import { CHANNELS, EVIDENCE_CHANNEL, MEMPOOL_CHANNEL } from '@org/engine/protocols'
import { DuplicateVoteEvidence, EvidenceList, SignedMsgType, Vote } from '@org/types'
import { ConsensusMessage, MempoolMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { createProcessingCostRules } from './processing-cost.ts'

const signature = (number: number): Uint8Array => new Uint8Array(64).fill(1).with(0, number)

function vote(number: number): Uint8Array {
  const value = Vote.create({ type: SignedMsgType.prevote, height: 1, round: 0, signature: signature(number) })
  return ConsensusMessage.encode({ sum: { case: 'vote', value: { vote: value } } })
}

function watch() {
  const broken: string[] = []
  let now = 0
  const rules = createProcessingCostRules({
    violate: (rule, detail) => void broken.push(`${rule}: ${detail}`),
    now: () => now,
  })
  const sendVotes = (count: number): void => {
    for (let i = 0; i < count; i++) rules.received('n0', 'n1', { channel: CHANNELS.vote, bytes: vote(i) })
  }
  const verify = (count: number, holds: boolean): void => {
    for (let i = 0; i < count; i++) rules.verified('n0', signature(i), holds)
  }
  return {
    rules,
    broken,
    sendVotes,
    verify,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('default: valid signatures, and a few invalid ones, are within the budget of their bytes', () => {
  const { broken, sendVotes, verify } = watch()
  sendVotes(200)
  verify(100, true)
  verify(11, false)
  expect(broken).toEqual([])
})

test('error: many invalid signatures break the rule once, also after the peer has left', () => {
  const { rules, broken, sendVotes, verify } = watch()
  sendVotes(60)
  rules.connected('n0', 'n1')
  verify(60, false)
  expect(broken).toEqual([
    expect.stringMatching(/^spend: n0 spent more than .* on messages of n1, .* badSignature \d+$/),
  ])
})

test('behavior: new evidence costs a verification, and the same evidence again costs none', () => {
  const { rules, broken } = watch()
  const sendEvidence = (number: number): void => {
    const value = DuplicateVoteEvidence.create({ voteA: Vote.create({ height: number }) })
    const evidence = [{ sum: { case: 'duplicateVoteEvidence' as const, value } }]
    rules.received('n0', 'n1', { channel: EVIDENCE_CHANNEL, bytes: EvidenceList.encode({ evidence }) })
  }
  for (let times = 0; times < 100; times++) sendEvidence(1)
  expect(broken).toEqual([])
  for (let number = 2; number < 100; number++) sendEvidence(number)
  expect(broken).toEqual([expect.stringMatching(/^spend: n0 spent more than .* badSignature \d+$/)])
})

test('default: each connection has its own budget, and signatures of others count for no peer', () => {
  const { rules, broken, sendVotes, verify } = watch()
  sendVotes(11)
  verify(11, false)
  rules.connected('n0', 'n1')
  sendVotes(11)
  for (let i = 100; i < 200; i++) rules.verified('n0', signature(i), false)
  for (let i = 0; i < 100; i++) rules.verified('n2', signature(i % 11), false)
  expect(broken).toEqual([])
})

test('behavior: transactions of one peer need several milliseconds', () => {
  const { rules, broken, pass } = watch()
  const txs = Array.from({ length: 250 }, (_, i) => Uint8Array.of(i))
  rules.received('n0', 'n1', {
    channel: MEMPOOL_CHANNEL,
    bytes: MempoolMessage.encode({ sum: { case: 'txs', value: { txs } } }),
  })
  for (const tx of txs.slice(0, 125)) rules.checked('n0', tx)
  pass(1)
  for (const tx of txs.slice(125)) rules.checked('n0', tx)
  expect(broken).toEqual([])
  pass(1)
  for (const tx of txs) rules.checked('n0', tx)
  expect(broken).toEqual(['spend: n0 read more than 128 transactions of n1 within one millisecond'])
})

test('behavior: an answer may add a limited number of addresses', () => {
  const { rules, broken } = watch()
  rules.learned('n0', 'n1', 250)
  expect(broken).toEqual([])
  rules.learned('n0', 'n1', 251)
  expect(broken).toEqual(['spend: n0 added 251 addresses of one answer of n1, and at most 250 are allowed'])
})

test('a proposed block of more items than its bytes allow breaks the rule', () => {
  const { rules, broken } = watch()
  rules.decoded('n0', 'n1', 10_000)
  expect(broken).toEqual([])
  rules.decoded('n0', 'n1', 1)
  expect(broken).toEqual([
    expect.stringMatching(/^spend: n0 spent more than 50000 steps on messages of n1, .* item 10001$/),
  ])
})
