import type { MessageSchema } from '@org/types/schema'

/** A buffer of at most this many bytes may stay in memory with a small value that was decoded from it. */
const SMALL_BUFFER = 128 * 1024

/**
 * Returns the value, or a copy of it if the value was decoded from a buffer that is much longer than the value. `part`
 * is a byte field of the value, and `size` is the number of bytes of the encoded value (0 for a small value). Decoded
 * values are views of the buffer from which they were decoded. Without the copy, each cached commit or header would
 * keep a whole block in memory, and each cached block would keep the worthless bytes that a peer added to its message.
 */
export function ownCopy<T>(
  schema: Pick<MessageSchema<T>, 'encode' | 'decode'>,
  value: T,
  { part, size = 0 }: { readonly part: Uint8Array; readonly size?: number },
): T {
  return part.buffer.byteLength <= SMALL_BUFFER + 2 * size ? value : schema.decode(schema.encode(value).slice())
}
