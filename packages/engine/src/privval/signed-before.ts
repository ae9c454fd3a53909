import { CanonicalProposal, CanonicalVote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { Cursor, type MessageSchema } from '@org/types/schema'
import { type Time, ZERO_TIME } from '@org/types/time'

function onlyTimeDiffers<T extends { readonly timestamp: Time }>(
  schema: MessageSchema<T>,
  last: Uint8Array,
  next: Uint8Array,
): Time | undefined {
  const decode = (delimited: Uint8Array): T => {
    const cursor = new Cursor(delimited)
    const length = cursor.length()
    return schema.decode(delimited.subarray(cursor.pos, cursor.pos + length))
  }
  const before = decode(last)
  const timeless = (value: T): Uint8Array => schema.encode({ ...value, timestamp: ZERO_TIME })
  return equalBytes(timeless(before), timeless(decode(next))) ? before.timestamp : undefined
}

/**
 * Returns the time in the last sign bytes of a vote, if the next sign bytes are equal except for the time; otherwise
 * `undefined`.
 */
export function signedVoteTime(last: Uint8Array, next: Uint8Array): Time | undefined {
  return onlyTimeDiffers(CanonicalVote, last, next)
}

/**
 * Returns the time in the last sign bytes of a proposal, if the next sign bytes are equal except for the time;
 * otherwise `undefined`.
 */
export function signedProposalTime(last: Uint8Array, next: Uint8Array): Time | undefined {
  return onlyTimeDiffers(CanonicalProposal, last, next)
}
