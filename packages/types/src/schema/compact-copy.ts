import type { MessageSchema } from './message.ts'

/**
 * Returns a copy of a message that keeps only the bytes of its own encoding in memory. A decoded message refers to the
 * buffer from which it was decoded, so it keeps the whole buffer in memory. The buffer also contains the message around
 * the decoded one, and unknown and repeated fields. A peer can add any number of these fields.
 */
export function compactCopy<T>({ encode, decode }: Pick<MessageSchema<T>, 'encode' | 'decode'>, value: T): T {
  // `slice` is needed because the encoded bytes may be a part of a longer buffer.
  return decode(encode(value).slice())
}
