import { equalBytes } from '../bytes/index.ts'
import { sha256 } from '../crypto/hash.ts'
import { hashHeader } from '../header/hash-header.ts'
import { hashFromByteSlices } from '../merkle/tree.ts'
import { EVIDENCE_ERRORS, EvidenceError } from './errors.ts'
import { DuplicateVoteEvidence, type Evidence, EvidenceList, LightClientAttackEvidence } from './wire.ts'

type Sum = NonNullable<Evidence['sum']>

/** Returns the kind and the value of a piece of evidence. Throws {@link EvidenceError} if the evidence has no value. */
export function evidenceSum(evidence: Evidence): Sum {
  if (evidence.sum === undefined) throw new EvidenceError(EVIDENCE_ERRORS.invalid, 'evidence is not recognized')
  return evidence.sum
}

/**
 * Returns the bytes from which the evidence hash of a block is made: the encoded duplicate votes or the encoded attack,
 * without the wrapper {@link Evidence}.
 */
export function evidenceBytes(evidence: Evidence): Uint8Array {
  const sum = evidenceSum(evidence)
  return sum.case === 'duplicateVoteEvidence'
    ? DuplicateVoteEvidence.encode(sum.value)
    : LightClientAttackEvidence.encode(sum.value)
}

/** Returns the hash that identifies a piece of evidence in the pool and in the store. */
export function hashEvidenceItem(evidence: Evidence): Uint8Array {
  const sum = evidenceSum(evidence)
  return sum.case === 'duplicateVoteEvidence' ? sha256(evidenceBytes(evidence)) : hashLightClientAttack(sum.value)
}

/**
 * Hashes the conflicting block and the common height only, so that reports of one attack with different signatures
 * count as one. The reference drops the last byte of the block's hash, and every node must do the same.
 */
function hashLightClientAttack({ conflictingBlock, commonHeight }: LightClientAttackEvidence): Uint8Array {
  const header = conflictingBlock?.signedHeader?.header
  const varint: number[] = []
  let rest = BigInt.asUintN(64, (BigInt(commonHeight) << 1n) ^ (BigInt(commonHeight) >> 63n))
  for (; rest >= 0x80n; rest >>= 7n) varint.push(Number(rest & 0x7fn) | 0x80)
  varint.push(Number(rest))
  const bytes = new Uint8Array(32 + varint.length)
  if (header !== undefined) bytes.set(hashHeader(header).subarray(0, 31))
  bytes.set(varint, 32)
  return sha256(bytes)
}

/** Returns the Merkle root over a block's evidence, which is `evidenceHash` of its header. */
export function hashEvidence(list: readonly Evidence[]): Uint8Array {
  return hashFromByteSlices(list.map(evidenceBytes))
}

/** Returns the number of bytes that a list of evidence takes in a block. */
export function evidenceListSize(list: readonly Evidence[]): number {
  return list.length === 0 ? 0 : EvidenceList.encode({ evidence: list }).length
}

/** Returns true if the list contains `evidence`, or evidence with the same hash as `evidence`. */
export function hasEvidence(list: readonly Evidence[], evidence: Evidence): boolean {
  const hash = hashEvidenceItem(evidence)
  return list.some((other) => equalBytes(hashEvidenceItem(other), hash))
}
