import { bytesToHex } from '@org/types/bytes'
import type { EventHistory } from '../ports/index.ts'

/** The position of an event in the chain: its block, and its number among the events of that block, from 0. */
export interface EventPosition {
  readonly height: number
  readonly index: number
  /** The id of the chain, if a client gave it. Absent in a position that this node made. */
  readonly chainId?: string | undefined
  /** The first hex digits of the block's hash, if a client gave them. Absent in a position that this node made. */
  readonly blockHash?: string | undefined
}

/** The index that represents the end of a block. It is larger than the index of every event. */
export const BLOCK_END = Number.MAX_SAFE_INTEGER

/**
 * The number of hex digits of a block's hash in a position that is written as text. The hashes of two blocks have the
 * same first digits in one of 2^32 cases.
 */
const HASH_DIGITS = 8

const PLACE = /^([0-9]{1,15})(?:-([0-9]{1,9}))?(?::([0-9A-Fa-f]{8,64}))?(?:@(.{1,1000}))?$/s

/**
 * Creates the function that writes a position as text. `12:5F0C9A1B@my-chain` is the position after all events of block
 * 12. `12-3:5F0C9A1B@my-chain` is the position after event 3 of that block, which is its fourth event. `5F0C9A1B` are
 * the first hex digits of the block's hash. They are left out if the block is not stored.
 */
export function createEventPositionFormat(
  history: Pick<EventHistory, 'chainId' | 'blockHash'>,
): (position: Pick<EventPosition, 'height' | 'index'>) => string {
  const chain = encodeURIComponent(history.chainId())
  let lastHeight = -1
  let hash = ''
  return ({ height, index }) => {
    // The events of a block come one after the other, so the hash of the block is read only once.
    if (height !== lastHeight) {
      const read = history.blockHash(height)
      hash = read === undefined ? '' : `:${bytesToHex(read).slice(0, HASH_DIGITS)}`
      lastHeight = height
    }
    const behind = index === BLOCK_END ? String(height) : `${height}-${index}`
    return `${behind}${hash}@${chain}`
  }
}

/**
 * Reads a position that is written as text, with or without the hash and the chain. Returns `undefined` for an invalid
 * text.
 */
export function parseEventPosition(text: string): EventPosition | undefined {
  const match = PLACE.exec(text)
  if (match === null) return undefined
  const [, height, index, blockHash, chainId] = match
  return { height: Number(height), index: index === undefined ? BLOCK_END : Number(index), blockHash, chainId }
}

/**
 * Returns the height of the first event after a position. The block at this height may not exist yet. Throws the errors
 * of `history.firstAfter`.
 */
export function heightAfter({ height, index }: EventPosition, history: Pick<EventHistory, 'firstAfter'>): number {
  return history.firstAfter(index === BLOCK_END ? height : height - 1)
}
