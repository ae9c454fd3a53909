import { expect, test } from 'vitest'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, reached } from './support/testnet.ts'

interface BlockAnswer {
  readonly block_id: { readonly hash: string }
  readonly block: {
    readonly header: { readonly app_hash: string; readonly proposer_address: string }
    readonly last_commit: { readonly signatures: readonly { readonly block_id_flag: number }[] }
  }
}

const block = (node: NetworkNode, height: number): Promise<BlockAnswer> => node.rpc(`block?height=${height}`)

async function sendEach(nodes: readonly NetworkNode[]): Promise<void> {
  for (const node of nodes) await node.rpc(`broadcast_tx_sync?tx="from${node.index}=${node.kind}"`)
}

/** Equal blocks and application hashes on every node; every validator signs and proposes. */
async function checkAgreement(nodes: readonly NetworkNode[], from: number, to: number): Promise<void> {
  const proposers = new Set<string>()
  const signed = new Map<number, number>()
  for (let height = from; height <= to; height++) {
    const [first, ...others] = await Promise.all(nodes.map((node) => block(node, height)))
    for (const other of others) expect(other).toEqual(first)
    proposers.add(first?.block.header.proposer_address ?? '')
    for (const [i, { block_id_flag: flag }] of (first?.block.last_commit.signatures ?? []).entries()) {
      if (flag === 2) signed.set(i, (signed.get(i) ?? 0) + 1)
    }
  }
  expect(proposers.size).toBe(4)
  expect([...signed.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
}

test('default: four Halley validators in processes of their own', async () => {
  const nodes = await createTestnet({ kinds: ['halley', 'halley', 'halley', 'halley'] })
  for (const node of nodes) node.start()
  await reached(3, nodes)
  await sendEach(nodes)
  await reached(25, nodes)
  await checkAgreement(nodes, 2, 25)
  for (const { index } of nodes) {
    const { response } = await (nodes[0] as NetworkNode).rpc<{ response: { value: string } }>(
      `abci_query?data="from${index}"`,
    )
    expect(atob(response.value)).toBe('halley')
  }
  const { n_peers: peers } = await (nodes[2] as NetworkNode).rpc<{ n_peers: string }>('net_info')
  expect(peers).toBe('3')
}, 60_000)

const missing = needsCometbft('the mixed network')
const MIXES: readonly (readonly Kind[])[] = [
  ['go', 'halley', 'go', 'halley'],
  ['halley', 'halley', 'go', 'halley'],
]

test.skipIf(missing).each(MIXES)(
  'behavior: validators of both kinds: %s, %s, %s, %s',
  async (...kinds) => {
    const nodes = await createTestnet({ kinds })
    for (const node of nodes) node.start()
    await reached(3, nodes)
    await sendEach(nodes)
    await reached(25, nodes)
    await checkAgreement(nodes, 5, 25)
  },
  60_000,
)
