import { Cursor } from '@org/types/schema'
import { MAX_LOGGED_MESSAGE } from '../wal/index.ts'

/**
 * The maximum encoded size in bytes of each kind of consensus message. The key is the number of the field that contains
 * this kind. Each size has a margin for new fields.
 */
const LIMITS: Readonly<Record<number, number>> = {
  1: 1024, // a newRoundStep message
  2: 4096, // a newValidBlock message: it contains at most 1,601 bits, one for each part of a block
  3: 4096, // a proposal message
  4: 4096, // a proposalPol message: it contains at most 10,000 bits, one for each validator
  5: 73_728, // a blockPart message: it contains a part of 64 KiB and a proof of at most 100 hashes
  6: MAX_LOGGED_MESSAGE, // a vote message: the vote may have a long extension
  7: 1024, // a hasVote message
  8: 4096, // a voteSetMaj23 message
  9: 4096, // a voteSetBits message: it contains at most 10,000 bits, one for each validator
}

/** The first byte of an encoded message with a vote: the tag of its field. */
const VOTE_TAG = (6 << 3) | 2

/**
 * Returns true if the message is a vote that is too long for the WAL. Such a vote is no fault of the peer: a node of
 * the reference accepts votes of up to a megabyte, and passes them on. So one validator with long extensions could
 * otherwise make this node end the connections to all such peers.
 */
export const isVoteTooLong = (bytes: Uint8Array): boolean => bytes[0] === VOTE_TAG && bytes.length > MAX_LOGGED_MESSAGE

/**
 * Checks the size of an encoded message before the decoding. So a message cannot make the decoder allocate more bits,
 * hashes or bytes than an honest message of its kind needs. Returns the fault, or `undefined`. Throws a `SchemaError`
 * for bytes that are not a message.
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
