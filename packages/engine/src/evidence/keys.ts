import { type Evidence, evidenceHeight, hashEvidenceItem } from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { field, type MessageSchema, message, safeInt64 } from '@org/types/schema'

/** The schema google.protobuf.Int64Value. It encodes the value that is stored under the key of committed evidence. */
export const CommittedHeight: MessageSchema<{ readonly value: number }> = message('google.protobuf.Int64Value', {
  value: field(1, safeInt64),
})

const COMMITTED = 0x00
const PENDING = 0x01

/**
 * Returns the text that identifies evidence in its keys: the height, then the hash. Because the height comes first, the
 * keys are in the order of heights.
 */
function suffix(evidence: Evidence): string {
  const height = evidenceHeight(evidence).toString(16).toUpperCase().padStart(16, '0')
  return `${height}/${bytesToHex(hashEvidenceItem(evidence))}`
}

function key(prefix: number, evidence: Evidence): Uint8Array {
  const text = utf8ToBytes(suffix(evidence))
  const bytes = new Uint8Array(1 + text.length)
  bytes[0] = prefix
  bytes.set(text, 1)
  return bytes
}

export const evidenceId = suffix
export const committedKey = (evidence: Evidence): Uint8Array => key(COMMITTED, evidence)
export const pendingKey = (evidence: Evidence): Uint8Array => key(PENDING, evidence)
/** The range of the keys of all pending evidence. */
export const PENDING_RANGE = { gte: new Uint8Array([PENDING]), lt: new Uint8Array([PENDING + 1]) }
