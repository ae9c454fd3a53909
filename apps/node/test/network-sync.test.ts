import { expect, test } from 'vitest'
import { block, powerTx, sendTx, status } from './support/chain.ts'
import { FULL, scaled } from './support/scale.ts'
import {
  createTestnet,
  type Kind,
  type NetworkNode,
  needsCometbft,
  POWER,
  reached,
  slowDown,
} from './support/testnet.ts'

const missing = needsCometbft('block sync between the kinds')

const hashAt = async (node: NetworkNode, height: number): Promise<string> =>
  (await node.rpc<{ block_id: { hash: string } }>(`block?height=${height}`)).block_id.hash

const withExtensions = (document: Record<string, unknown>): void => {
  const params = document.consensus_params as Record<string, unknown>
  params.abci = { vote_extensions_enable_height: '1' }
}

const FAST = { 'consensus.timeout_commit': '"5ms"' }

const LENGTH = scaled(220, 2000)
const TIMEOUT_MS = scaled(90_000, 420_000)

/**
 * Starts one validator. When its chain is long enough, starts full nodes. When the full nodes have caught up, makes
 * them validators.
 */
async function syncFrom(source: Kind, late: readonly Kind[], genesis?: typeof withExtensions): Promise<void> {
  const nodes = await createTestnet({
    kinds: [source, ...late],
    validators: 1,
    config: FAST,
    ...(genesis === undefined ? {} : { genesis }),
  })
  const [first, ...others] = nodes as [NetworkNode, ...NetworkNode[]]
  first.start()
  await reached(LENGTH, [first], TIMEOUT_MS)
  // A joining node can never catch up with a chain that grows at full speed, so the validator now makes fewer blocks.
  await slowDown([first])
  const began = performance.now()
  for (const node of others) node.start()
  await expect
    .poll(
      async () => {
        const answers = await Promise.all(others.map((node) => status(node).catch(() => undefined)))
        return answers.every((answer) => answer?.sync_info.catching_up === false)
      },
      { timeout: TIMEOUT_MS, interval: 200 },
    )
    .toBe(true)
  const height = await first.height()
  if (FULL) console.log(`${late} from ${source}: ${height} blocks in ${Math.round(performance.now() - began)} ms`)
  await reached(height + 5, others)
  for (const at of [1, 100, LENGTH - 1, height]) {
    const wanted = await hashAt(first, at)
    for (const node of others) expect(await hashAt(node, at)).toBe(wanted)
  }
  for (const node of others) await takePart(node, first)
}

/** Makes a node a validator, and waits until the node has signed a commit and proposed a block. */
async function takePart(node: NetworkNode, source: NetworkNode): Promise<void> {
  await sendTx(source, await powerTx(node, POWER))
  const { address } = (await status(node)).validator_info
  await expect
    .poll(
      async () => {
        const { header, last_commit: commit } = (await block(source, await source.height())).block
        const signs = commit.signatures.some((one) => one.validator_address === address && one.block_id_flag === 2)
        return signs && header.proposer_address === address
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(true)
}

test(
  `default: Halley gets ${LENGTH} blocks from Halley, and then takes part in consensus`,
  async () => {
    await syncFrom('halley', ['halley'])
  },
  TIMEOUT_MS,
)

const WAYS: readonly (readonly [Kind, Kind])[] = [
  ['go', 'halley'],
  ['halley', 'go'],
]

/**
 * The functions that change the genesis, one for each chain; `undefined` for an unchanged genesis. A full acceptance
 * run uses both chains. An ordinary run uses only the chain with vote extensions, because this chain is harder to sync.
 */
const CHAINS = scaled([withExtensions], [undefined, withExtensions])

for (const [source, late] of WAYS) {
  for (const prepare of CHAINS) {
    test.skipIf(missing)(
      `behavior: ${late} gets ${LENGTH} blocks${prepare === undefined ? '' : ' with vote extensions'} from ${source}, and then takes part in consensus`,
      async () => {
        await syncFrom(source, [late], prepare)
      },
      TIMEOUT_MS,
    )
  }
}
