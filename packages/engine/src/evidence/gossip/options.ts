/** The channel of evidence. */
export const EVIDENCE_CHANNEL = 0x38

/** The maximum number of bytes of a message; the reference's figure. */
export { MAX_EVIDENCE_MESSAGE as MAX_MESSAGE_SIZE } from '../limits.ts'

/**
 * The maximum number of list elements and nested messages in one message. Without this limit, a message of one megabyte
 * could contain half a million empty elements, which take about 100 MB of memory. Evidence of an attack on light
 * clients has about five elements per validator. So 10,000 validators need 50,000 elements.
 */
export const MAX_ITEMS = 100_000

/**
 * The interval at which the node sends all pending evidence to its peers again, in milliseconds; the reference's
 * figure.
 */
export const REPEAT_MS = 10_000

/** The maximum number of messages to one peer that wait to be sent. The reference queues one message. */
export const SEND_QUEUE_CAPACITY = 4
