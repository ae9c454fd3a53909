import { Evidence } from '@org/types'

/**
 * Returns a copy of evidence that was decoded from a message or a block. Decoded evidence is a view of all bytes of its
 * message or block. The pool counts only the bytes of the evidence, so it must keep only these bytes in memory.
 */
export const ownCopy = (evidence: Evidence): Evidence => Evidence.decode(Evidence.encode(evidence).slice())
