/**
 * The maximum number of bytes of a frame. The reference reads frames of up to 2^31 - 1 bytes. The largest block that
 * the reference accepts has 100 MB.
 */
export const MAX_FRAME_BYTES = 512 * 1024 * 1024

/**
 * The maximum number of open requests of one connection. In the reference, a caller waits while 256 requests are in the
 * send queue, and the number of sent requests has no limit.
 */
export const MAX_PENDING = 1 << 17

/**
 * A buffer of encoded messages is written when it has reached this number of bytes. A turn of the event loop that
 * produces more bytes makes several writes.
 */
export const MAX_BATCH_BYTES = 256 * 1024

/**
 * The pauses between two attempts to connect, in milliseconds. The first pause is `first`. Each further pause is twice
 * as long as the pause before it, but at most `max`, which is the pause of the reference.
 */
export const CONNECT_RETRY = { first: 100, max: 3000 } as const
