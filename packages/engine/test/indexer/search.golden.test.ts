import { recordingLines } from '@org/golden'
import { hashTx } from '@org/types'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import { beforeAll, describe, expect, it } from 'vitest'
import { createIndexer, type Hits, type Indexer } from '../../src/indexer/index.ts'
import { dumpOf, storeOf } from '../store/dumps.ts'

interface Exchange {
  readonly id: string
  readonly run: string
  readonly transport: string
  readonly request: { readonly path: string; readonly body?: unknown; readonly frames?: readonly unknown[] }
  readonly response: { readonly body?: unknown; readonly frames?: readonly unknown[] }
}

type Params = Readonly<Record<string, unknown>>

interface Call {
  readonly method: string
  readonly params: Params
}

function unquote(value: string): unknown {
  if (value.startsWith('0x')) return new TextDecoder().decode(hexToBytes(value.slice(2)))
  if (!value.startsWith('"')) return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  tx_search: ['query', 'prove', 'page', 'per_page', 'order_by'],
  block_search: ['query', 'page', 'per_page', 'order_by'],
}

/** Returns the search that a recorded exchange contains; `undefined` if the exchange is not a single search. */
function callOf({ transport, request }: Exchange): Call | undefined {
  if (transport === 'uri') {
    const [route = '', search = ''] = request.path.split('?')
    const method = route.slice(1)
    if (POSITIONS[method] === undefined) return undefined
    const pairs = [...new URLSearchParams(search)].map(([key, value]) => [key, unquote(value)] as const)
    return { method, params: Object.fromEntries(pairs) }
  }
  const [text] = [request.body, ...(request.frames ?? [])].filter((item) => item !== undefined && item !== null)
  if (typeof text !== 'string') return undefined
  try {
    const { method, params } = JSON.parse(text) as { method: string; params: Params | readonly unknown[] }
    const names = POSITIONS[method]
    if (names === undefined || typeof params !== 'object') return undefined
    if (!Array.isArray(params)) return { method, params: params as Params }
    return { method, params: Object.fromEntries(names.map((name, i) => [name, (params as readonly unknown[])[i]])) }
  } catch {
    return undefined
  }
}

interface Answer {
  readonly result?: {
    readonly txs?: readonly { readonly hash: string; readonly height: string; readonly index: number }[]
    readonly blocks?: readonly { readonly block: { readonly header: { readonly height: string } } }[]
    readonly total_count: string
  }
  readonly error?: { readonly data?: string }
}

function answerOf({ response }: Exchange): Answer | undefined {
  const texts = [response.body, ...(response.frames ?? [])].filter((item) => typeof item === 'string')
  try {
    return texts.length === 1 ? (JSON.parse(texts[0] as string) as Answer) : undefined
  } catch {
    return undefined
  }
}

/** Returns the items of one page, as the RPC does. */
async function pageOf<T>(hits: Hits<T>, params: Params): Promise<readonly T[]> {
  const asked = Number(params.per_page ?? 30)
  const perPage = asked < 1 ? 30 : Math.min(asked, 100)
  return hits.page((Number(params.page ?? 1) - 1) * perPage, perPage)
}

async function ask(indexer: Indexer, { method, params }: Call): Promise<unknown> {
  const query = String(params.query)
  try {
    if (method === 'tx_search') {
      const hits = await indexer.txs({ query, order: params.order_by === 'desc' ? 'desc' : 'asc' })
      const txs = await pageOf(hits, params)
      return {
        total: String(hits.total),
        found: txs.map(({ tx, height, index }) => [bytesToHex(hashTx(tx)), String(height), index]),
      }
    }
    const hits = await indexer.blocks({ query, order: params.order_by === 'asc' ? 'asc' : 'desc' })
    return { total: String(hits.total), found: (await pageOf(hits, params)).map(String) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

function recorded({ result, error }: Answer): unknown {
  if (result === undefined) return { error: error?.data }
  const found =
    result.txs?.map(({ hash, height, index }) => [hash, height, index]) ??
    result.blocks?.map(({ block }) => block.header.height)
  return { total: result.total_count, found }
}

const SEARCH_ERRORS = /^offset|searching for a hash|retrieving the result/

describe.each([
  ['kvstore-single', 'main', 'db-dump.jsonl', 300],
  ['kvstore-four', 'network', 'db-dump-node0.jsonl', 5],
  ['kvstore-four', 'alone', 'db-dump-node0.jsonl', 5],
  ['e2e-voteext', 'node0-alone', 'db-dump-node0.jsonl', 2],
  ['e2e-voteext', 'node1-alone', 'db-dump-node1.jsonl', 2],
  ['e2e-voteext', 'node2-alone', 'db-dump-node2.jsonl', 2],
] as const)('searches asked of %s, %s', (scenario, run, dump, atLeast) => {
  let indexer: Indexer
  beforeAll(async () => {
    indexer = createIndexer({}, { db: await storeOf(dumpOf(`${scenario}/${dump}`, 'tx_index')) })
  })

  it('default: each finds what the reference found, in its order', async () => {
    let compared = 0
    for (const exchange of recordingLines<Exchange>(`${scenario}/answers.jsonl`)) {
      if (exchange.run !== run) continue
      const call = callOf(exchange)
      const answer = answerOf(exchange)
      if (call === undefined || answer === undefined || typeof call.params.query !== 'string') continue
      // Errors that do not match `SEARCH_ERRORS` are about parameters and pages. The RPC checks parameters and pages,
      // so these errors are not compared here.
      if (answer.result === undefined && !SEARCH_ERRORS.test(answer.error?.data ?? '')) continue
      expect([exchange.id, call, await ask(indexer, call)]).toEqual([exchange.id, call, recorded(answer)])
      compared++
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast)
  })
})
