/** The channel of evidence. */
export const EVIDENCE_CHANNEL = 0x38

/** The longest message in bytes; the reference's figure. */
export const MAX_MESSAGE_SIZE = 1_048_576

/**
 * The maximum number of list elements and nested messages of one message. A message of a megabyte could hold half a
 * million empty elements, and these take a hundred times as much memory as their bytes. Evidence of an attack on light
 * clients has about five elements per validator: 50,000 for 10,000 validators.
 */
export const MAX_ITEMS = 100_000

/** Milliseconds between two sendings of pending evidence, as in the reference. */
export const REPEAT_MS = 10_000

/** The maximum number of messages to one peer that wait to be sent; the reference has 1. */
export const SEND_QUEUE_CAPACITY = 4
