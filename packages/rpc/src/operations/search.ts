import { hashTx, proveTxs, type TxProof, ZERO_BLOCK_ID } from '@org/types'
import type { TxResult } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { createSlices, piecesOfList } from '../call/json-slices.ts'
import { bool, bytes, optionalInt, string } from '../call/params.ts'
import { type CallContext, defineRoute } from '../call/route.ts'
import { refused } from '../errors.ts'
import { checkQueryLength, MAX_QUERY_LENGTH, resolvePage, validatePerPage } from './argument-rules.ts'
import { blockPieces } from './blocks.ts'
import { blockResult, blockSearchResult, type ResultBlock, type ResultTx, txResult, txSearchResult } from './results.ts'

type Proofs = (found: TxResult) => TxProof | undefined

const NO_PROOFS: Proofs = () => undefined

/**
 * Makes the proofs for the results of one call. The last block is loaded and hashed only once, because consecutive
 * results are often in the same block.
 */
function createProofs({ ports: { blocks } }: CallContext): Proofs {
  let last: { readonly height: number; readonly proofOf: ((index: number) => TxProof) | undefined } | undefined
  return ({ height, index }) => {
    if (last?.height !== height) {
      const block = blocks.loadBlock(height)
      last = { height, proofOf: block === undefined ? undefined : proveTxs(block.data.txs) }
    }
    return last.proofOf?.(index)
  }
}

function toResult(found: TxResult, proofs: Proofs): ResultTx {
  return {
    hash: hashTx(found.tx),
    height: found.height,
    index: found.index,
    txResult: found.result,
    tx: found.tx,
    proof: proofs(found),
  }
}

/** Calls `work` for each item of a page, and lets other tasks run between the items. */
async function mapPage<T, R>(context: CallContext, page: readonly T[], work: (one: T) => R): Promise<R[]> {
  const slices = createSlices(context)
  const results: R[] = []
  for (const one of page) {
    results.push(work(one))
    if (slices.isDue()) await slices.pause()
  }
  return results
}

export const tx = defineRoute({
  name: 'tx',
  summary: 'A committed transaction by its hash.',
  category: 'Tx',
  params: { hash: bytes, prove: bool },
  required: ['hash'],
  result: txResult,
  cache: 'always',
  handler: async (context, { hash, prove }) => {
    const { ports } = context
    if (!ports.search.enabled) throw refused('transaction indexing is disabled')
    const found = await ports.search.tx(hash)
    if (found === undefined) throw refused(`tx (${bytesToHex(hash)}) not found`)
    return { ...toResult(found, prove ? createProofs(context) : NO_PROOFS), hash }
  },
})

const WRONG_ORDER = 'expected order_by to be either `asc` or `desc` or empty'

/**
 * Returns the order that the client's `order_by` requests. Returns `standard` for an empty text, and `undefined` for an
 * invalid text. The caller reports an invalid text only after the search, as the reference does.
 */
function orderOf(text: string, standard: 'asc' | 'desc'): 'asc' | 'desc' | undefined {
  if (text === '') return standard
  return text === 'asc' || text === 'desc' ? text : undefined
}

const pageParams = { page: optionalInt, per_page: optionalInt, order_by: string } as const

export const txSearch = defineRoute({
  name: 'tx_search',
  summary: 'Committed transactions whose events match a query, the oldest first.',
  category: 'Tx',
  params: { query: string, prove: bool, ...pageParams },
  required: ['query'],
  result: txSearchResult,
  immutableKey: ({ ports: { search } }, { query, prove, page, per_page, order_by }) => {
    // The results with proofs are not cached, because the proofs come from blocks that may be pruned before the next
    // call.
    if (prove || !search.enabled || search.generation === undefined) return undefined
    if (query.length > MAX_QUERY_LENGTH || orderOf(order_by, 'asc') === undefined) return undefined
    return `${search.generation()}/${page ?? ''}/${per_page ?? ''}/${order_by}/${query}`
  },
  pieces: ({ txs, totalCount }) => piecesOfList(txSearchResult.stringify({ txs: [], totalCount }), txs, txResult),
  handler: async (context, { query, prove, page, per_page, order_by }) => {
    const { ports, signal } = context
    if (!ports.search.enabled) throw refused('transaction indexing is disabled')
    checkQueryLength(query)
    const order = orderOf(order_by, 'asc')
    const hits = await ports.search.txs({ query, order: order ?? 'asc', signal: signal() })
    if (order === undefined) throw refused(WRONG_ORDER)
    const { skip, count } = resolvePage(page, validatePerPage(per_page), hits.total)
    const proofs = prove ? createProofs(context) : NO_PROOFS
    const load = async (): Promise<ResultTx[]> =>
      mapPage(context, await hits.page(skip, count), (one) => toResult(one, proofs))
    return { txs: await context.answers.load(load, signal()), totalCount: hits.total }
  },
})

export const blockSearch = defineRoute({
  name: 'block_search',
  summary: 'Blocks whose events match a query, the newest first.',
  category: 'Info',
  params: { query: string, ...pageParams },
  required: ['query'],
  result: blockSearchResult,
  pieces: ({ blocks, totalCount }) =>
    piecesOfList(blockSearchResult.stringify({ blocks: [], totalCount }), blocks, {
      stringify: blockResult.stringify,
      pieces: blockPieces,
    }),
  handler: async (context, { query, page, per_page, order_by }) => {
    const { ports, signal, options } = context
    if (!ports.search.enabled) throw refused('block indexing is disabled')
    // The reference accepts queries of any length, and a strict node does the same.
    if (!options.strict) checkQueryLength(query)
    const order = orderOf(order_by, 'desc')
    const hits = await ports.search.blocks({ query, order: order ?? 'desc', signal: signal() })
    if (order === undefined) throw refused(WRONG_ORDER)
    const { skip, count } = resolvePage(page, validatePerPage(per_page), hits.total)
    const toBlock = (height: number): ResultBlock | undefined => {
      const block = ports.blocks.loadBlock(height)
      const meta = ports.blocks.loadBlockMeta(height)
      return block === undefined || meta === undefined ? undefined : { blockId: meta.blockId ?? ZERO_BLOCK_ID, block }
    }
    const load = async (): Promise<(ResultBlock | undefined)[]> =>
      mapPage(context, await hits.page(skip, count), toBlock)
    const blocks = await context.answers.load(load, signal())
    return { blocks: blocks.filter((block) => block !== undefined), totalCount: hits.total }
  },
})
