import {
  createHttpProvider,
  createLightClient,
  createMemoryLightStore,
  isLightFailure,
  type LightBlock,
} from '@org/light'
import { hexToBytes } from '@org/types/bytes'
import type { Json } from '@org/types/schema'
import { expect, onTestFinished, test } from 'vitest'
import { type Chain, chainAt, get, startProxy, trusting } from './support/light.ts'
import { type Lie, membersOf, type Position, startLyingNode } from './support/lying-node.ts'
import { FAST, makeHome, startNode } from './support/node.ts'
import { temporaryFolder } from './support/process.ts'
import { serveProvingApp } from './support/proving-app.ts'

const POSITIONS: readonly Position[] = ['first', 'middle', 'last']

/** Starts a node whose application proves the value of one key. */
async function provingChain(): Promise<Chain> {
  const application = await serveProvingApp()
  const node = await startNode(await makeHome(temporaryFolder()), `--proxy_app=${application}`, ...FAST)
  onTestFinished(async () => void (await node.stop()))
  await node.reach(2)
  return chainAt(node.url)
}

interface Call {
  readonly path: (chain: Chain) => string
  /** The paths of those members of an answer that no proof covers. `*` in a path means every position of a list. */
  readonly unproven: readonly string[]
}

const ROUND = 'block.last_commit.round'
const resultAt = (path: string): readonly string[] =>
  [
    ...['code', 'gas_used', 'gas_wanted', 'log', 'info', 'codespace', 'events'],
    ...['events.*.type', 'events.*.attributes'],
    ...['key', 'value', 'index'].map((member) => `events.*.attributes.*.${member}`),
  ].map((member) => `${path}.${member}`)
/**
 * The fields of a transaction's result that no proof covers. The code and the gas are not in this list, because the
 * hash of the results covers these fields.
 */
const unprovenOfResults = resultAt('txs_results.*').filter((path) => !/code$|gas_/.test(path))

/** The methods whose answers come from the primary and are verified by the light client. */
const CALLS: Readonly<Record<string, Call>> = {
  block: { path: ({ height }) => `/block?height=${height}`, unproven: [ROUND] },
  block_by_hash: { path: ({ hash }) => `/block_by_hash?hash=0x${hash}`, unproven: [ROUND] },
  block_search: {
    path: ({ height }) => `/block_search?query="block.height=${height}"`,
    unproven: [`blocks.*.${ROUND}`, 'blocks', 'total_count'],
  },
  header_by_hash: { path: ({ hash }) => `/header_by_hash?hash=0x${hash}`, unproven: [] },
  blockchain: {
    path: () => '/blockchain?minHeight=2&maxHeight=3',
    unproven: ['last_height', 'block_metas', 'block_metas.*.block_size', 'block_metas.*.num_txs'],
  },
  tx: { path: ({ tx }) => `/tx?hash=0x${tx}&prove=true`, unproven: resultAt('tx_result') },
  tx_search: {
    path: ({ height }) => `/tx_search?query="tx.height=${height}"&prove=true`,
    unproven: ['txs', 'total_count', ...resultAt('txs.*.tx_result')],
  },
  block_results: { path: ({ height }) => `/block_results?height=${height}`, unproven: [...unprovenOfResults] },
  consensus_params: {
    path: ({ height }) => `/consensus_params?height=${height}`,
    unproven: [
      'consensus_params.abci.vote_extensions_enable_height',
      'consensus_params.evidence.max_age_duration',
      'consensus_params.evidence.max_age_num_blocks',
      'consensus_params.evidence.max_bytes',
      'consensus_params.validator.pub_key_types',
      'consensus_params.validator.pub_key_types.*',
      'consensus_params.version.app',
    ],
  },
  abci_query: {
    path: ({ height }) => `/abci_query?data="alice"&height=${height}`,
    unproven: ['response.log', 'response.info', 'response.index', 'response.codespace'],
  },
}

const nameOf = ({ path }: Lie): string => path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')

function liesAbout(method: string, result: Json): readonly Lie[] {
  return membersOf(result).flatMap((path) => POSITIONS.map((position) => ({ method, path, position })))
}

test('behavior: a change of any byte that a proof covers is refused, in every method', async () => {
  const chain = await provingChain()
  const liar = await startLyingNode(chain.url)
  // The primary and the witness are the same lying node, under two spellings of its address. So if the light client
  // replaces the primary by the witness, the answers stay false. The node answers `commit` and `validators` correctly,
  // so the primary and the witness agree about all headers.
  const again = liar.url.replace('127.0.0.1', 'localhost')
  const proxy = await startProxy(chain.chainId, ...trusting(chain, temporaryFolder(), liar.url, again))
  for (const [method, { path, unproven }] of Object.entries(CALLS)) {
    const [honest, sent] = [await get(proxy.url, path(chain)), await get(chain.url, path(chain))]
    expect(honest.error, method).toBeUndefined()
    const believed = new Set<string>()
    const lies = liesAbout(method, sent.result as Json)
    expect(lies.length, method).toBeGreaterThan(9)
    for (const lie of lies) {
      liar.lie(lie)
      liar.calls.length = 0
      const { result, error } = await get(proxy.url, path(chain))
      expect(liar.calls, method).toContain(method)
      liar.lie(undefined)
      if (error !== undefined) expect(error.data, nameOf(lie)).not.toBe('')
      else if (JSON.stringify(result) !== JSON.stringify(honest.result)) believed.add(nameOf(lie))
    }
    const present = new Set(lies.map(nameOf))
    expect([...believed].sort(), method).toEqual(unproven.filter((name) => present.has(name)).toSorted())
  }
})

test.each(['commit', 'validators'])(
  'behavior: no changed byte of %s makes the light client trust another header',
  async (method) => {
    const chain = await provingChain()
    const liar = await startLyingNode(chain.url)
    const { chainId } = chain
    const height = Number(chain.height)
    const trust = { height: 2, hash: hexToBytes(chain.hash) as Uint8Array }
    const verify = async (lie: Lie | undefined): Promise<LightBlock> => {
      liar.lie(undefined)
      const [primary, witness] = [liar.url, chain.url].map((url) => createHttpProvider({ chainId, url, attempts: 1 }))
      const light = await createLightClient(
        { chainId, trust, trustingPeriod: 3_600_000_000_000n },
        { primary: primary as never, witnesses: [witness as never], store: createMemoryLightStore() },
      )
      liar.lie(lie)
      return light.verifyAtHeight(height)
    }
    const honest = await verify(undefined)
    const { result } = await get(chain.url, `/${method}?height=${height}`)
    const lies = liesAbout(method, result as Json)
    expect(lies.length).toBeGreaterThan(9)
    let refused = 0
    for (const lie of lies) {
      const found = await verify(lie).catch((error: unknown) => {
        if (!isLightFailure(error)) throw error
        refused++
        return undefined
      })
      // If `verify` resolves, the light client did not accept the lie: for example, the witness replaced the primary.
      // So the verified block must be the honest block.
      if (found !== undefined) expect(found, nameOf(lie)).toEqual(honest)
    }
    expect(refused).toBeGreaterThan(0)
  },
)
