import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, reached } from './support/testnet.ts'

interface BlockAnswer {
  readonly block: {
    readonly evidence: { readonly evidence: readonly { readonly type: string }[] }
  }
}

/** The first block with evidence that a node has. */
async function evidenceHeight(node: NetworkNode, from: number): Promise<number | undefined> {
  const top = await node.height()
  for (let height = from; height <= top; height++) {
    const { block } = await node.rpc<BlockAnswer>(`block?height=${height}`)
    if (block.evidence.evidence.length > 0) return height
  }
  return undefined
}

/** Four validators, and a fifth node that signs with the key of one of them. */
async function catchTwin(kinds: readonly Kind[], twinOf: number): Promise<void> {
  const nodes = await createTestnet({
    kinds,
    validators: 4,
    config: { 'consensus.timeout_propose': '"400ms"' },
  })
  const [original, twin] = [nodes[twinOf], nodes[4]] as [NetworkNode, NetworkNode]
  const key = 'config/priv_validator_key.json'
  copyFileSync(join(original.home, key), join(twin.home, key))
  for (const node of nodes) node.start()
  await reached(2, nodes.slice(0, 4))
  const watchers = nodes.slice(0, 4).filter((node) => node !== original)
  let at: number | undefined
  for (let i = 0; i < 300 && at === undefined; i++) {
    // Each of the twins proposes other transactions, so that they contradict each other.
    await twin.rpc(`broadcast_tx_async?tx="twin${i}=1"`).catch(() => undefined)
    at = await evidenceHeight(watchers[0] as NetworkNode, 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(at).toBeDefined()
  const height = at as number
  await reached(height, watchers)
  for (const node of watchers) expect(await evidenceHeight(node, height)).toBe(height)
}

test('default: Halley validators catch a double sign', async () => {
  await catchTwin(['halley', 'halley', 'halley', 'halley', 'halley'], 0)
}, 60_000)

const missing = needsCometbft('the double sign in a mixed network')

test.skipIf(missing)(
  'behavior: a mixed network catches a double sign, and both kinds take the evidence',
  async () => {
    await catchTwin(['go', 'halley', 'go', 'halley', 'halley'], 1)
  },
  60_000,
)
