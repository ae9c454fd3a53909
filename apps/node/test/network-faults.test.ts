import { expect, test } from 'vitest'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, reached } from './support/testnet.ts'

const missing = needsCometbft('the mixed network under faults')

const CONFIG = { 'p2p.persistent_peers_max_dial_period': '"1s"' }

async function startAll(kinds: readonly Kind[], validators = kinds.length): Promise<readonly NetworkNode[]> {
  const nodes = await createTestnet({ kinds, validators, config: CONFIG })
  for (const node of nodes) node.start()
  await reached(3, nodes)
  return nodes
}

async function lastHeight(nodes: readonly NetworkNode[]): Promise<number> {
  return Math.max(...(await Promise.all(nodes.map((node) => node.height()))))
}

async function sameHash(nodes: readonly NetworkNode[], height: number): Promise<void> {
  const hashes = await Promise.all(
    nodes.map(async (node) => (await node.rpc<{ block_id: { hash: string } }>(`block?height=${height}`)).block_id.hash),
  )
  expect(new Set(hashes).size).toBe(1)
}

/** While one is away the others go on; back, it catches up. */
async function loseAndRegain(nodes: readonly NetworkNode[], index: number, how: 'kill' | 'freeze'): Promise<void> {
  const node = nodes[index] as NetworkNode
  const others = nodes.filter((other) => other !== node)
  if (how === 'kill') await node.stop('SIGKILL')
  else node.signal('SIGSTOP')
  const at = await lastHeight(others)
  await reached(at + 8, others)
  if (how === 'kill') node.start()
  else node.signal('SIGCONT')
  await reached(at + 12, nodes)
  await sameHash(nodes, at + 10)
}

test('default: four Halley validators lose and regain one of them', async () => {
  const nodes = await startAll(['halley', 'halley', 'halley', 'halley'])
  await loseAndRegain(nodes, 1, 'kill')
  await loseAndRegain(nodes, 2, 'freeze')
}, 60_000)

test.skipIf(missing)(
  'behavior: a mixed network loses and regains one of each kind',
  async () => {
    const nodes = await startAll(['go', 'halley', 'go', 'halley'])
    await loseAndRegain(nodes, 1, 'kill')
    await loseAndRegain(nodes, 2, 'kill')
    await loseAndRegain(nodes, 3, 'freeze')
  },
  60_000,
)

interface ValidatorsAnswer {
  readonly total: string
  readonly validators: readonly { readonly address: string; readonly voting_power: string }[]
}

interface StatusAnswer {
  readonly validator_info: { readonly address: string; readonly pub_key: { readonly value: string } }
}

test.skipIf(missing)(
  'behavior: Halley joins three Go validators, signs, proposes, changes its power and leaves',
  async () => {
    const nodes = await startAll(['go', 'go', 'go', 'halley'], 3)
    const [go, , , halley] = nodes as [NetworkNode, NetworkNode, NetworkNode, NetworkNode]
    const { validator_info: own } = await halley.rpc<StatusAnswer>('status')
    const setPower = (power: number): Promise<unknown> =>
      halley.rpc(`broadcast_tx_sync?tx="val=ed25519!${encodeURIComponent(own.pub_key.value)}!${power}"`)
    const powerOf = async (): Promise<string | undefined> => {
      const { validators } = await go.rpc<ValidatorsAnswer>('validators')
      return validators.find(({ address }) => address === own.address)?.voting_power
    }
    for (const power of [1, 5]) {
      await setPower(power)
      await expect.poll(powerOf, { timeout: 15_000, interval: 100 }).toBe(String(power))
    }
    const isProposed = async (): Promise<boolean> => {
      const { block } = await go.rpc<{ block: { header: { proposer_address: string } } }>('block')
      return block.header.proposer_address === own.address
    }
    await expect.poll(isProposed, { timeout: 15_000, interval: 20 }).toBe(true)
    const { block } = await go.rpc<{
      block: { last_commit: { signatures: readonly { validator_address: string }[] } }
    }>('block')
    expect(block.last_commit.signatures.some(({ validator_address: address }) => address === own.address)).toBe(true)
    await setPower(0)
    await expect.poll(powerOf, { timeout: 15_000, interval: 100 }).toBe(undefined)
    await reached((await lastHeight(nodes)) + 5, nodes)
  },
  60_000,
)
