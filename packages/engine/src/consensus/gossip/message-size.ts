import { Cursor } from '@org/types/schema'
import { MAX_LOGGED_MESSAGE } from '../wal/index.ts'

/** The longest encoding of each case of the message, by field number, with a margin for new fields. */
const LIMITS: Readonly<Record<number, number>> = {
  1: 1024, // newRoundStep
  2: 4096, // newValidBlock: 1,601 bits
  3: 4096, // proposal
  4: 4096, // proposalPol: 10,000 bits
  5: 73_728, // blockPart: 64 KiB and a proof of at most 100 hashes
  6: MAX_LOGGED_MESSAGE, // vote: it may have a long extension
  7: 1024, // hasVote
  8: 4096, // voteSetMaj23
  9: 4096, // voteSetBits: 10,000 bits
}

/**
 * Returns what is wrong with the size of an encoded message, before it is decoded: so no case allocates more bits,
 * hashes or bytes than an honest message needs. Throws a `SchemaError` for bytes that are not a message.
 */
export function messageSizeFault(bytes: Uint8Array): string | undefined {
  const cursor = new Cursor(bytes)
  let kinds = 0
  while (cursor.pos < cursor.end) {
    const from = cursor.pos
    const tag = cursor.tag()
    cursor.skip(tag)
    const limit = LIMITS[tag >>> 3]
    if (limit === undefined) continue
    if (++kinds > 1) return 'the message contains more than one kind'
    const size = cursor.pos - from
    if (size > limit) return `a message of kind ${tag >>> 3} has ${size} bytes; the limit is ${limit}`
  }
  return undefined
}
