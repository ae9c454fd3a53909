import { differences } from '@org/golden'
import type { Answer } from './node.ts'

/**
 * Matches simple queries for which DEVIATIONS.md declares no difference. Such a query compares a height with a whole
 * number, or asks whether an attribute of the application exists.
 */
const NOT_IN_TABLE = [
  /^[\s"']*(?:tx|block)\.height {0,3}[<>]?=? {0,3}[1-9]\d{0,15}[\s"']*$/,
  /^[\s"']*(?!tx\.|block\.|tm\.)[\w.]{1,100} EXISTS[\s"']*$/,
]

/** Matches the errors that a search may return instead of results. */
const NO_RESULTS = /page should be within|expected order_by|error while retrieving the result|INDEX_/

interface Entry {
  readonly hash?: string
  readonly height?: string
  readonly block_id?: { readonly hash?: string }
  readonly block?: { readonly header?: { readonly height?: string } }
}

interface Found {
  readonly total: number
  readonly entries: readonly Entry[]
  /** The answer without its results. The results may differ, but the other members must not. */
  readonly rest: unknown
}

interface SearchBody {
  readonly result?: {
    readonly txs?: readonly Entry[]
    readonly blocks?: readonly Entry[]
    readonly total_count?: string
  }
}

/**
 * Parses the JSON-RPC answers in an HTTP body, or in WebSocket messages. Returns `undefined` if the body or a message
 * is not JSON.
 */
function repliesOf({ body, frames }: Answer): readonly unknown[] | undefined {
  const texts = body === undefined ? ((frames ?? []) as readonly unknown[]) : [body]
  try {
    return texts.flatMap((text) => JSON.parse(String(text)) as unknown)
  } catch {
    return undefined
  }
}

function foundIn(reply: unknown): Found | undefined {
  const { result, ...rest } = reply as SearchBody
  const entries = result?.txs ?? result?.blocks
  if (!Array.isArray(entries) || !/^\d+$/.test(result?.total_count ?? '')) return undefined
  return { total: Number(result?.total_count), entries, rest }
}

const keyOf = ({ hash, block_id: blockId }: Entry): string => hash ?? blockId?.hash ?? ''
const heightOf = ({ height, block }: Entry): number => Number(height ?? block?.header?.height)

type Order = 'ascending' | 'descending'
/**
 * The permitted orders of the results in a batch. A batch may contain calls with ascending order and calls with
 * descending order.
 */
const BOTH: readonly Order[] = ['ascending', 'descending']

/**
 * Returns the order that a search asks for. Without an order in the request, blocks are in descending order, and
 * transactions in ascending order.
 */
function orderOf(asked: string): Order {
  if (asked.includes('block_search')) return /order_by.{1,9}asc/i.test(asked) ? 'ascending' : 'descending'
  return /order_by.{1,9}desc/i.test(asked) ? 'descending' : 'ascending'
}

function isInOrder(entries: readonly Entry[], order: Order): boolean {
  const heights = entries.map(heightOf)
  return heights.every((height, index) => {
    const before = heights[index - 1]
    return before === undefined || (order === 'descending' ? before >= height : before <= height)
  })
}

/**
 * True if two answers differ only in their lists of results. A result that both lists contain must be equal in both,
 * and our results must be in the requested order.
 */
function differOnlyInHits(wanted: Found, got: Found, orders: readonly Order[]): boolean {
  if ([...differences(wanted.rest, got.rest)].length > 0) return false
  const theirs = new Map(wanted.entries.map((entry) => [keyOf(entry), entry]))
  const isSame = (entry: Entry): boolean => {
    const other = theirs.get(keyOf(entry))
    return other === undefined || [...differences(other, entry)].length === 0
  }
  const isUnique = new Set(got.entries.map(keyOf)).size === got.entries.length
  return (
    isUnique &&
    got.total >= got.entries.length &&
    got.entries.every(isSame) &&
    orders.some((order) => isInOrder(got.entries, order))
  )
}

/** Returns the query of a search as plain text. Returns the whole request if the query is not found in it. */
function queryOf(asked: string): string {
  const raw = /query(?:\\*"\s*:\s*\\*"|=(?:\\*"|%22)?)((?:[^"&\\]|\\\\*u[0-9a-f]{4})*)/i.exec(asked)?.[1] ?? asked
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    return raw
  }
}

/**
 * True if DEVIATIONS.md declares the difference between two answers to a search: `wanted` from the reference, and `got`
 * from Halley. The table in DEVIATIONS.md lists kinds of queries for which the two nodes find different results. So a
 * difference is declared if two conditions hold. The query may be of a kind in the table, and the answers differ only
 * in the results that were found. A difference in the order of the results, or in a field of a transaction that both
 * nodes found, is not declared.
 */
export function isDeclaredSearch(asked: string, wanted: Answer, got: Answer): boolean {
  if (!/(?:tx|block)_search/.test(asked)) return false
  const query = queryOf(asked)
  if (NOT_IN_TABLE.some((form) => form.test(query))) return false
  const [theirs, ours] = [repliesOf(wanted), repliesOf(got)]
  if (theirs === undefined || theirs.length !== ours?.length) return false
  const orders = theirs.length > 1 ? BOTH : [orderOf(asked)]
  return theirs.every((reply, index) => isDeclaredReply(reply, ours[index], orders))
}

function isDeclaredReply(wanted: unknown, got: unknown, orders: readonly Order[]): boolean {
  if ([...differences(wanted, got)].length === 0) return true
  const [theirs, ours] = [foundIn(wanted), foundIn(got)]
  if (theirs !== undefined && ours !== undefined) return differOnlyInHits(theirs, ours, orders)
  const isAnswer = (reply: unknown, found: Found | undefined): boolean =>
    found !== undefined || NO_RESULTS.test(JSON.stringify(reply))
  return isAnswer(wanted, theirs) && isAnswer(got, ours)
}
