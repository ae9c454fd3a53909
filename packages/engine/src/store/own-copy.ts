import { compactCopy, type MessageSchema } from '@org/types/schema'

/**
 * The maximum length of a buffer that may stay in memory because of a small value. A decoded value is a view of its
 * buffer, so it keeps the whole buffer in memory. If the buffer of a small value is longer than this, the value is
 * copied.
 */
const SMALL_BUFFER = 128 * 1024

/**
 * Returns the value, or a copy of it if the value was decoded from a buffer that is much longer than the value. `part`
 * is a byte field of the value, and `size` is the number of bytes of the encoded value (0 for a small value). Without
 * the copy, each cached commit or header would keep a whole block in memory, and each cached block would keep the
 * worthless bytes that a peer added to its message.
 */
export function ownCopy<T>(
  schema: Pick<MessageSchema<T>, 'encode' | 'decode'>,
  value: T,
  { part, size = 0 }: { readonly part: Uint8Array; readonly size?: number },
): T {
  return part.buffer.byteLength <= SMALL_BUFFER + 2 * size ? value : compactCopy(schema, value)
}
