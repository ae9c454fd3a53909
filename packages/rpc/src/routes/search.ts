import type { TxResult } from '@org/types/abci'
import { hashTx, proveTx, ZERO_BLOCK_ID } from '@org/types/block'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { refused } from '../errors.ts'
import type { Ports } from '../ports/index.ts'
import { MAX_QUERY_LENGTH, resolvePage, validatePerPage } from './limits.ts'
import { bool, bytes, optionalInt, string } from './params.ts'
import { blockSearchResult, type ResultTx, txResult, txSearchResult } from './results.ts'
import { defineRoute } from './route.ts'

function toResult(ports: Ports, found: TxResult, prove: boolean): ResultTx {
  const block = prove ? ports.blocks.loadBlock(found.height) : undefined
  return {
    hash: hashTx(found.tx),
    height: found.height,
    index: found.index,
    txResult: found.result,
    tx: found.tx,
    proof: block === undefined ? undefined : proveTx(block.data.txs, found.index),
  }
}

export const tx = defineRoute({
  name: 'tx',
  summary: 'A committed transaction by its hash.',
  category: 'Tx',
  params: { hash: bytes, prove: bool },
  result: txResult,
  cache: 'always',
  handler: async ({ ports }, { hash, prove }) => {
    if (!ports.search.enabled) throw refused('transaction indexing is disabled')
    const found = await ports.search.tx(hash)
    if (found === undefined) throw refused(`tx (${bytesToHex(hash)}) not found`)
    return { ...toResult(ports, found, prove), hash }
  },
})

const WRONG_ORDER = 'expected order_by to be either `asc` or `desc` or empty'

/** The order asked for; undefined is a wrong one, which the reference minds only after the search. */
function orderOf(text: string, standard: 'asc' | 'desc'): 'asc' | 'desc' | undefined {
  if (text === '') return standard
  return text === 'asc' || text === 'desc' ? text : undefined
}

const pageParams = { page: optionalInt, per_page: optionalInt, order_by: string } as const

export const txSearch = defineRoute({
  name: 'tx_search',
  summary: 'Committed transactions whose events fit a query, the oldest first.',
  category: 'Tx',
  params: { query: string, prove: bool, ...pageParams },
  result: txSearchResult,
  immutableKey: ({ ports: { search } }, { query, prove, page, per_page, order_by }) => {
    // Proofs come from blocks, which may be pruned meanwhile.
    if (prove || !search.enabled || search.generation === undefined) return undefined
    if (query.length > MAX_QUERY_LENGTH || orderOf(order_by, 'asc') === undefined) return undefined
    return `${search.generation()}/${page ?? ''}/${per_page ?? ''}/${order_by}/${query}`
  },
  handler: async ({ ports, signal }, { query, prove, page, per_page, order_by }) => {
    if (!ports.search.enabled) throw refused('transaction indexing is disabled')
    if (utf8ToBytes(query).length > MAX_QUERY_LENGTH) throw refused('maximum query length exceeded')
    const order = orderOf(order_by, 'asc')
    const hits = await ports.search.txs({ query, order: order ?? 'asc', signal: signal() })
    if (order === undefined) throw refused(WRONG_ORDER)
    const { skip, count } = resolvePage(page, validatePerPage(per_page), hits.total)
    const found = await hits.page(skip, count)
    return { txs: found.map((one) => toResult(ports, one, prove)), totalCount: hits.total }
  },
})

export const blockSearch = defineRoute({
  name: 'block_search',
  summary: 'Blocks whose events fit a query, the newest first.',
  category: 'Info',
  params: { query: string, ...pageParams },
  result: blockSearchResult,
  handler: async ({ ports, signal }, { query, page, per_page, order_by }) => {
    if (!ports.search.enabled) throw refused('block indexing is disabled')
    const order = orderOf(order_by, 'desc')
    const hits = await ports.search.blocks({ query, order: order ?? 'desc', signal: signal() })
    if (order === undefined) throw refused(WRONG_ORDER)
    const { skip, count } = resolvePage(page, validatePerPage(per_page), hits.total)
    const heights = await hits.page(skip, count)
    const blocks = heights.flatMap((height) => {
      const block = ports.blocks.loadBlock(height)
      const meta = ports.blocks.loadBlockMeta(height)
      return block === undefined || meta === undefined ? [] : [{ blockId: meta.blockId ?? ZERO_BLOCK_ID, block }]
    })
    return { blocks, totalCount: hits.total }
  },
})
