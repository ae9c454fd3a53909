import { expect, test } from 'vitest'
import { createTestnet, type Kind, type NetworkNode, needsCometbft, reached } from './support/testnet.ts'

const missing = needsCometbft('block sync between the kinds')

interface StatusAnswer {
  readonly sync_info: { readonly latest_block_height: string; readonly catching_up: boolean }
}

const hashAt = async (node: NetworkNode, height: number): Promise<string> =>
  (await node.rpc<{ block_id: { hash: string } }>(`block?height=${height}`)).block_id.hash

const withExtensions = (document: Record<string, unknown>): void => {
  const params = document.consensus_params as Record<string, unknown>
  params.abci = { vote_extensions_enable_height: '1' }
}

const FAST = { 'consensus.timeout_commit': '"20ms"' }

/** One validator and full nodes: those come when the chain is 220 blocks long. */
async function syncFrom(source: Kind, late: readonly Kind[], genesis?: typeof withExtensions): Promise<void> {
  const nodes = await createTestnet({
    kinds: [source, ...late],
    validators: 1,
    config: FAST,
    ...(genesis === undefined ? {} : { genesis }),
  })
  const [first, ...others] = nodes as [NetworkNode, ...NetworkNode[]]
  first.start()
  await reached(220, [first])
  for (const node of others) node.start()
  await expect
    .poll(
      async () => {
        const answers = await Promise.all(others.map((node) => node.rpc<StatusAnswer>('status').catch(() => undefined)))
        return answers.every((answer) => answer?.sync_info.catching_up === false)
      },
      { timeout: 40_000, interval: 200 },
    )
    .toBe(true)
  const height = await first.height()
  await reached(height + 5, others)
  for (const at of [1, 100, 219, height]) {
    const wanted = await hashAt(first, at)
    for (const node of others) expect(await hashAt(node, at)).toBe(wanted)
  }
}

test('default: Halley gets 220 blocks from Halley, and goes on with consensus', async () => {
  await syncFrom('halley', ['halley'])
}, 60_000)

test.skipIf(missing)(
  'behavior: Halley gets 220 blocks from Go',
  async () => {
    await syncFrom('go', ['halley'])
  },
  60_000,
)

test.skipIf(missing)(
  'behavior: Go gets 220 blocks from Halley',
  async () => {
    await syncFrom('halley', ['go'])
  },
  60_000,
)

test.skipIf(missing)(
  'behavior: Halley gets blocks with vote extensions from Go',
  async () => {
    await syncFrom('go', ['halley'], withExtensions)
  },
  60_000,
)

test.skipIf(missing)(
  'behavior: Go gets blocks with vote extensions from Halley',
  async () => {
    await syncFrom('halley', ['go'], withExtensions)
  },
  60_000,
)
