import { BlockIdFlag } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { RoundStep } from '../../src/consensus/machine/index.ts'
import { createVirtualNetwork, hashText, type VirtualNetwork } from './virtual-network.ts'

const height = (network: VirtualNetwork): number =>
  Math.min(...network.nodes.map(({ machine }) => machine.state.height))

function hashes(network: VirtualNetwork): string[][] {
  return network.nodes.map(({ commits }) => commits.map(({ block }) => hashText(block)))
}

function expectAgreement(network: VirtualNetwork, upTo: number): void {
  const [first, ...others] = hashes(network).map((list) => list.slice(0, upTo))
  expect(first?.length).toBe(upTo)
  for (const other of others) expect(other).toEqual(first)
}

describe('four machines', () => {
  it('default: they decide the same blocks, each in round 0', () => {
    const network = createVirtualNetwork()
    network.start()
    network.runUntil(() => height(network) > 10)
    expectAgreement(network, 10)
    for (const { commits } of network.nodes) {
      expect(commits.slice(0, 10).map(({ seenCommit }) => seenCommit.round)).toEqual(new Array(10).fill(0))
    }
    // The nodes took turns to propose, so the blocks have all four proposers.
    const proposers = network.nodes[0]?.commits.slice(0, 8).map(({ block }) => block.header.proposerAddress.join())
    expect(new Set(proposers).size).toBe(4)
  })

  it('behavior: block times grow, and are the median of the votes for the block before', () => {
    const network = createVirtualNetwork()
    network.start()
    network.runUntil(() => height(network) > 5)
    const times = network.nodes[0]?.commits.map(({ block }) => block.header.time) as bigint[]
    for (let i = 1; i < times.length; i++) expect((times[i] as bigint) > (times[i - 1] as bigint)).toBe(true)
  })

  it('behavior: late precommits of the last height are in the next commit', () => {
    const network = createVirtualNetwork()
    network.start()
    network.runUntil(() => height(network) > 4)
    const { lastCommit } = network.nodes[0]?.commits[3]?.block ?? {}
    expect(lastCommit?.signatures.map((signature) => signature.blockIdFlag)).toEqual(
      new Array(4).fill(BlockIdFlag.commit),
    )
  })

  it('behavior: one disconnected node does not stop the others, and is absent in their commits', () => {
    const network = createVirtualNetwork()
    network.deliver = (_, from, to) => from !== 3 && to !== 3
    network.start()
    const live = network.nodes.slice(0, 3)
    network.runUntil(() => live.every(({ machine }) => machine.state.height > 6))
    const [first, ...others] = live.map(({ commits }) => commits.slice(0, 6).map(({ block }) => hashText(block)))
    for (const other of others) expect(other).toEqual(first)
    expect(live[0]?.commits[5]?.block.lastCommit?.signatures[3]?.blockIdFlag).toBe(BlockIdFlag.absent)
    // When the absent node is the proposer of round 0, the height is decided in round 1.
    expect(live[0]?.commits.some(({ seenCommit }) => seenCommit.round === 1)).toBe(true)
  })

  it('behavior: without two thirds nothing is decided, and after the network heals all continue', () => {
    const network = createVirtualNetwork()
    const lost: { message: Parameters<VirtualNetwork['deliver']>[0]; to: number }[] = []
    let healed = false
    network.deliver = (message, from, to) => {
      if (healed || from < 2 === to < 2) return true
      lost.push({ message, to })
      return false
    }
    network.start()
    for (let i = 0; i < 200; i++) {
      network.clock.next()
      network.deliverAll()
    }
    expect(network.nodes.every(({ commits }) => commits.length === 0)).toBe(true)
    healed = true
    // Resends as gossip does: peers get the messages that they lack.
    for (const { message, to } of lost) network.nodes[to]?.receive(message)
    network.runUntil(() => height(network) > 3)
    expectAgreement(network, 3)
  })

  it('behavior: messages that arrive twice and in any order do not change the decisions', () => {
    const network = createVirtualNetwork()
    const all: { message: Parameters<VirtualNetwork['deliver']>[0]; to: number }[] = []
    network.deliver = (message, _, to) => {
      all.push({ message, to })
      return false
    }
    network.start()
    for (let i = 0; i < 400 && height(network) < 4; i++) {
      if (all.length === 0) network.clock.next()
      network.deliverAll()
      const batch = all.splice(0).reverse()
      // The messages are in reverse order, and a part that comes before its proposal is ignored. So each message is
      // given twice.
      for (const { message, to } of [...batch, ...batch]) network.nodes[to]?.receive(message)
      network.deliverAll()
    }
    expectAgreement(network, 3)
  })

  it('behavior: the power of votes decides, not their number', () => {
    const network = createVirtualNetwork({ powers: [70n, 10n, 10n, 10n] })
    network.deliver = () => false
    network.start()
    network.runUntil(() => (network.nodes[0]?.commits.length ?? 0) > 3)
    expect(network.nodes[1]?.commits.length).toBe(0)
  })

  it('behavior: vote extensions are made, verified and kept with the commit', () => {
    const seen: string[] = []
    const network = createVirtualNetwork({
      extensionsFrom: 2,
      app: {
        verifyExtension: (vote, node) => {
          seen.push(`${node}:${new TextDecoder().decode(vote.extension)}`)
          return true
        },
      },
    })
    network.start()
    network.runUntil(() => height(network) > 3)
    const commits = network.nodes[0]?.commits ?? []
    expect(commits[0]?.seenCommit.extendedSignatures.every(({ extension }) => extension.length === 0)).toBe(true)
    const [, second] = commits
    expect(second?.seenCommit.extendedSignatures[0]?.extension).toEqual(utf8ToBytes('2/0'))
    expect(second?.seenCommit.extendedSignatures[0]?.extensionSignature.length).toBe(64)
    expect(seen.some((text) => text.startsWith('0:2/'))).toBe(true)
    // No node verifies the extension of its own vote. No node verifies an extension at a height before extensions are
    // enabled.
    expect(seen.some((text) => /^(\d):\d+\/\1$/.test(text) || text.includes(':1/'))).toBe(false)
  })

  it('behavior: a chain starts at its initial height', () => {
    const network = createVirtualNetwork({ initialHeight: 1000, extensionsFrom: 1000 })
    network.start()
    network.runUntil(() => height(network) > 1003)
    expect(network.nodes[0]?.commits[0]?.block.header.height).toBe(1000)
  })

  it('behavior: without empty blocks the machines wait for transactions after the block with the app hash', () => {
    let txs: Uint8Array[] = []
    const network = createVirtualNetwork({ options: { createEmptyBlocks: false }, app: { txs: () => txs } })
    network.start()
    const rest = (): void => {
      do network.deliverAll()
      while (network.clock.next())
    }
    // Makes the first block. Its app hash is the app hash of the genesis.
    rest()
    const where = network.nodes.map(({ machine: { state } }) => [state.height, state.step])
    expect(where).toEqual(new Array(4).fill([2, RoundStep.newRound]))
    txs = [utf8ToBytes('a')]
    for (const node of network.nodes) node.feed({ type: 'txsAvailable' })
    network.deliverAll()
    txs = []
    // Makes one more block, because the app hash changed.
    rest()
    expect(network.nodes.map(({ commits }) => commits.map(({ block }) => block.data.txs.length))).toEqual(
      new Array(4).fill([0, 1, 0]),
    )
    expectAgreement(network, 3)
  })

  it('behavior: with skipTimeoutCommit a height ends without the commit timeout when all precommits have arrived', () => {
    const network = createVirtualNetwork({ options: { skipTimeoutCommit: true } })
    network.start()
    network.runUntil(() => height(network) > 20)
    // Before the first height, the machines wait for one commit timeout, which is one second. After that they wait for
    // no timeout, so the virtual clock does not advance further.
    expect(network.clock.monotonic()).toBe(1000)
    expectAgreement(network, 20)
  })

  it('behavior: the same inputs give the same effects', () => {
    const run = () => {
      const network = createVirtualNetwork({ extensionsFrom: 1 })
      network.deliver = (_, from, to) => (from + to) % 3 !== 0
      network.start()
      for (let i = 0; i < 60; i++) {
        network.clock.next()
        network.deliverAll()
      }
      return network.nodes.map(({ effects, inputs }) => ({ effects, inputs }))
    }
    const [first, second] = [run(), run()]
    expect(first.map(({ effects }) => effects.length).every((length) => length > 100)).toBe(true)
    expect(second).toEqual(first)
  })
})
