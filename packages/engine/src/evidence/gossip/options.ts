/** The channel of evidence. */
export const EVIDENCE_CHANNEL = 0x38

/** The reference's figure. */
export const MAX_MESSAGE_SIZE = 1_048_576

/** Pending evidence is told anew this often, as by the reference. */
export const REPEAT_MS = 10_000

/** Messages to one peer that may wait to be sent; the reference has 1. */
export const SEND_QUEUE_CAPACITY = 4
