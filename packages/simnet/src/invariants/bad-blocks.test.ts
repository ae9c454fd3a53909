import { BLOCKSYNC_CHANNEL } from '@org/engine/protocols'
import { BlockSyncMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { createBadBlockRules } from './bad-blocks.ts'

const request = {
  channel: BLOCKSYNC_CHANNEL,
  bytes: BlockSyncMessage.encode({ sum: { case: 'blockRequest', value: { height: 7 } } }),
}

function watch() {
  const broken: string[] = []
  let now = 0
  const rules = createBadBlockRules({ violate: (rule, detail) => broken.push(`${rule}: ${detail}`), now: () => now })
  return { rules, broken, pass: (ms: number) => (now += ms) }
}

test('a node that applies a height and keeps the peer that sent a bad block of it breaks the rule once', () => {
  const { rules, broken } = watch()
  rules.received('n0', 'n1', 5)
  rules.applied('n0', 4)
  rules.applied('n2', 5)
  expect(broken).toEqual([])
  rules.applied('n0', 5)
  rules.applied('n0', 5)
  expect(broken).toEqual([
    'sync: n0 applied block 5, and is still connected to n1, which sent a bad block of this height',
  ])
})

test('a dropped peer gets no request for a minute, or until the node restarts', () => {
  const { rules, broken, pass } = watch()
  rules.received('n0', 'n1', 5)
  rules.sent('n0', 'n1', request)
  rules.disconnected('n0', 'n1')
  rules.applied('n0', 5)
  rules.sent('n0', 'n2', request)
  expect(broken).toEqual([])
  rules.sent('n0', 'n1', request)
  expect(broken).toEqual(['sync: n0 requests block 7 from n1, which it disconnected because of a bad block'])
  pass(60_000)
  rules.sent('n0', 'n1', request)
  rules.received('n0', 'n1', 9)
  rules.disconnected('n0', 'n1')
  rules.restarted('n0')
  rules.sent('n0', 'n1', request)
  expect(broken).toHaveLength(1)
})
