import { generateEd25519 } from '@org/types/crypto'
import { expect, test } from 'vitest'
import type { OpenedChain } from '../src/chain/create-chain.ts'
import { createFaults } from '../src/devnet/faults.ts'
import { createMembers } from '../src/devnet/members.ts'
import type { SimNode } from '../src/node/index.ts'

/**
 * Creates an object `Faults` for a devnet of `count` validators. The validators have only names and keys and do not
 * run. `blocked` and `delayed` contain the pairs of nodes between which messages are blocked or delayed.
 */
function start(count: number) {
  const nodeOf = (i: number): SimNode =>
    ({ name: `n${i}`, options: { key: generateEd25519(new Uint8Array(32).fill(i + 1)) } }) as SimNode
  const nodes = Array.from({ length: count }, (_, i) => nodeOf(i))
  const blocked = new Set<string>()
  const delayed = new Map<string, number>()
  const hub = {
    block: (from: string, to: string) => void blocked.add(`${from} ${to}`),
    unblock: (from: string, to: string) => void blocked.delete(`${from} ${to}`),
    delay: (from: string, to: string, ms: number) =>
      void (ms > 0 ? delayed.set(`${from} ${to}`, ms) : delayed.delete(`${from} ${to}`)),
  }
  const members = createMembers(() => nodes)
  const faults = createFaults({ network: { hub, nodes } } as unknown as OpenedChain, members)
  return { nodes, nodeOf, blocked, delayed, faults, addressOf: (i: number) => members.all()[i]?.address ?? '' }
}

test('default: if a validator leaves, its blocked and its delayed directions end, and no others', () => {
  const { nodes, nodeOf, blocked, delayed, faults, addressOf } = start(3)
  faults.partition([addressOf(2)])
  faults.delay(10, { to: addressOf(1) })
  const before = [[...blocked], [...delayed]]
  expect(before).toEqual([
    ['n2 n0', 'n2 n1', 'n0 n2', 'n1 n2'],
    [
      ['n0 n1', 10],
      ['n2 n1', 10],
    ],
  ])
  const added = nodeOf(3)
  nodes.push(added)
  faults.join(added)
  expect([[...blocked].slice(4), [...delayed].slice(2)]).toEqual([['n3 n2', 'n2 n3'], [['n3 n1', 10]]])
  faults.leave(added)
  nodes.pop()
  expect([[...blocked], [...delayed]]).toEqual(before)
  faults.end()
  expect([blocked.size, delayed.size, faults.longestDelay()]).toEqual([0, 0, 0])
})
