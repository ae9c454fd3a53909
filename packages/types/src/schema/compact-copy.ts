import type { MessageSchema } from './message.ts'

/**
 * Returns a copy of a message that keeps only the bytes of its own encoding in memory. A decoded message is a view of
 * all bytes from which it was decoded, so it keeps all of them in memory: the bytes of the message that contains it,
 * and also unknown and repeated fields, which a peer can add in any number.
 */
export function compactCopy<T>({ encode, decode }: Pick<MessageSchema<T>, 'encode' | 'decode'>, value: T): T {
  // `slice` is needed because the encoded bytes may be a part of a longer buffer.
  return decode(encode(value).slice())
}
