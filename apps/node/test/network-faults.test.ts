import { expect, test } from 'vitest'
import { signsLately } from './support/chain.ts'
import { scaled } from './support/scale.ts'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, POWER, reached } from './support/testnet.ts'

const missing = needsCometbft('the mixed network under faults')

/**
 * The minimum time of a fault, in milliseconds. The fault also lasts at least until the other nodes have made eight
 * blocks.
 */
const AWAY_MS = scaled(0, 30_000)
const TIMEOUT_MS = scaled(90_000, 420_000)

const CONFIG = { 'p2p.persistent_peers_max_dial_period': '"1s"' }

async function startAll(kinds: readonly Kind[], validators = kinds.length): Promise<readonly NetworkNode[]> {
  const nodes = await createTestnet({ kinds, validators, config: CONFIG, relayed: true })
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

const FAULTS = {
  kill: { begin: (node: NetworkNode) => node.stop('SIGKILL'), end: (node: NetworkNode) => node.start() },
  freeze: {
    begin: async (node: NetworkNode) => node.signal('SIGSTOP'),
    end: (node: NetworkNode) => node.signal('SIGCONT'),
  },
  cut: { begin: async (node: NetworkNode) => node.cut(), end: (node: NetworkNode) => node.heal() },
}

/**
 * Takes one node out of the network: the other nodes must continue. Then brings the node back: the node must catch up.
 */
async function loseAndRegain(nodes: readonly NetworkNode[], index: number, how: keyof typeof FAULTS): Promise<void> {
  const node = nodes[index] as NetworkNode
  const others = nodes.filter((other) => other !== node)
  await FAULTS[how].begin(node)
  const [at, since] = [await lastHeight(others), performance.now()]
  await reached(at + 8, others)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, AWAY_MS - (performance.now() - since))))
  const top = await lastHeight(others)
  // A node without connections must not make blocks alone.
  if (how === 'cut') expect(await node.height()).toBeLessThanOrEqual(at + 2)
  FAULTS[how].end(node)
  await reached(top + 4, nodes, 60_000)
  await sameHash(nodes, top + 2)
  // A signature of the node in a commit shows that the node takes part in consensus again.
  await expect.poll(() => signsLately(node, others[0] as NetworkNode), { timeout: 30_000, interval: 100 }).toBe(true)
}

test(
  'default: four Halley validators lose and regain one of them: killed, frozen, cut off',
  async () => {
    const nodes = await startAll(['halley', 'halley', 'halley', 'halley'])
    await loseAndRegain(nodes, 1, 'kill')
    await loseAndRegain(nodes, 2, 'freeze')
    await loseAndRegain(nodes, 3, 'cut')
  },
  TIMEOUT_MS,
)

type MixedFault = readonly [number, keyof typeof FAULTS]

/**
 * The faults in a mixed network. The short run kills a node of each kind. The full run also freezes and disconnects
 * nodes.
 */
const MIXED_FAULTS: readonly MixedFault[] = [
  [1, 'kill'],
  [2, 'kill'],
  ...scaled<readonly MixedFault[]>(
    [],
    [
      [3, 'freeze'],
      [1, 'cut'],
      [0, 'freeze'],
      [2, 'cut'],
    ],
  ),
]

test.skipIf(missing)(
  'behavior: a mixed network loses and regains one node of each kind',
  async () => {
    const nodes = await startAll(['go', 'halley', 'go', 'halley'])
    for (const [index, how] of MIXED_FAULTS) await loseAndRegain(nodes, index, how)
  },
  TIMEOUT_MS,
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
    for (const power of [POWER, 5 * POWER]) {
      await setPower(power)
      await expect.poll(powerOf, { timeout: 15_000, interval: 100 }).toBe(String(power))
    }
    const isProposed = async (): Promise<boolean> => {
      const { block: last } = await go.rpc<{ block: { header: { proposer_address: string } } }>('block')
      return last.header.proposer_address === own.address
    }
    await expect.poll(isProposed, { timeout: 15_000, interval: 20 }).toBe(true)
    await expect.poll(() => signsLately(halley, go), { timeout: 15_000, interval: 20 }).toBe(true)
    await setPower(0)
    await expect.poll(powerOf, { timeout: 15_000, interval: 100 }).toBe(undefined)
    await reached((await lastHeight(nodes)) + 5, nodes)
  },
  60_000,
)
