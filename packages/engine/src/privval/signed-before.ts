import { equalBytes } from '@org/types/bytes'
import { Cursor, type MessageSchema } from '@org/types/schema'
import { type Time, ZERO_TIME } from '@org/types/time'
import { CanonicalProposal, CanonicalVote } from '@org/types/vote'

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

/** Returns the signed time, if the two sign bytes of a vote differ in the time at most. */
export function signedVoteTime(last: Uint8Array, next: Uint8Array): Time | undefined {
  return onlyTimeDiffers(CanonicalVote, last, next)
}

/** Does as {@link signedVoteTime} for proposals. */
export function signedProposalTime(last: Uint8Array, next: Uint8Array): Time | undefined {
  return onlyTimeDiffers(CanonicalProposal, last, next)
}
