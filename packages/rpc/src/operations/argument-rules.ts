import { utf8ToBytes } from '@org/types/bytes'
import type { CallContext } from '../call/route.ts'
import { refused } from '../errors.ts'

const DEFAULT_PER_PAGE = 30
const MAX_PER_PAGE = 100
/** The maximum length of a query in bytes. */
export const MAX_QUERY_LENGTH = 512

/**
 * Throws for a query of more than {@link MAX_QUERY_LENGTH} bytes. A UTF-16 unit takes one to three bytes in UTF-8. So
 * the bytes are counted only if the number of units is between a third of the limit and the limit.
 */
export function checkQueryLength(query: string): void {
  const isLong =
    query.length > MAX_QUERY_LENGTH ||
    (query.length > MAX_QUERY_LENGTH / 3 && utf8ToBytes(query).length > MAX_QUERY_LENGTH)
  if (isLong) throw refused('maximum query length exceeded')
}

/**
 * Returns the height that a call is about. Throws with the reference's words for a height that is not between the
 * lowest stored height and `latest`.
 */
export function resolveHeight({ ports }: CallContext, latest: number, asked: bigint | undefined): number {
  if (asked === undefined) return latest
  if (asked <= 0n) throw refused(`height must be greater than 0, but got ${asked}`)
  if (asked > BigInt(latest))
    throw refused(`height ${asked} must be less than or equal to the current blockchain height ${latest}`)
  const base = ports.blocks.base()
  if (asked < BigInt(base)) throw refused(`height ${asked} is not available, lowest height is ${base}`)
  return Number(asked)
}

/**
 * Returns the highest height whose validators and consensus parameters are stored. This is the height after the last
 * block. While the node is catching up, it is the height of the last block.
 */
export function latestUncommittedHeight({ ports }: CallContext): number {
  const height = ports.blocks.height()
  return ports.consensus?.waitSync() === true ? height : height + 1
}

/**
 * Returns the height for a call that names no height. The result is usually `latest`. While the node executes the block
 * at `latest`, the node may not have the data of this height that the call requests. If the data of `latest` are
 * missing and the data of `latest - 1` are present, returns `latest - 1`. `isKnown` returns true if the data of a
 * height are present.
 */
export function lastKnown(latest: number, isKnown: (height: number) => boolean): number {
  return isKnown(latest) || !isKnown(latest - 1) ? latest : latest - 1
}

export function validatePerPage(perPage: bigint | undefined): number {
  if (perPage === undefined || perPage < 1n) return DEFAULT_PER_PAGE
  return perPage > BigInt(MAX_PER_PAGE) ? MAX_PER_PAGE : Number(perPage)
}

export interface Page {
  readonly skip: number
  readonly count: number
}

/** The position of a page among `total` items. Throws for a page that does not exist. */
export function resolvePage(page: bigint | undefined, perPage: number, total: number): Page {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page !== undefined && (page <= 0n || page > BigInt(pages)))
    throw refused(`page should be within [1, ${pages}] range, given ${page}`)
  const skip = (Number(page ?? 1n) - 1) * perPage
  return { skip, count: Math.min(perPage, total - skip) }
}
