/**
 * The maximum number of bytes of a message with evidence; the reference's figure. It is also the default of the
 * consensus parameter `evidence.max_bytes`. Evidence that takes more reaches no peer.
 */
export const MAX_EVIDENCE_MESSAGE = 1_048_576

/** The maximum number of bytes of the evidence of two conflicting votes without their extensions. */
export const PAIR_BYTES_WITHOUT_EXTENSIONS = 4096
