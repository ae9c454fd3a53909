import { bytesToHex, equalBytes } from '../bytes/index.ts'
import { HASH_SIZE } from '../crypto/hash.ts'
import { BLOCK_ERRORS, BlockError } from './errors.ts'
import { type BlockId, PartSetHeader } from './id.ts'

/** The part set header in a vote for nil. */
export const ZERO_PART_SET_HEADER: PartSetHeader = { total: 0, hash: new Uint8Array(0) }
/** The block id in a vote for nil. */
export const ZERO_BLOCK_ID: BlockId = { hash: new Uint8Array(0), partSetHeader: ZERO_PART_SET_HEADER }

/** Returns true if both part set headers have the same number of parts and the same hash. */
export function equalPartSetHeaders(a: PartSetHeader, b: PartSetHeader): boolean {
  return a.total === b.total && equalBytes(a.hash, b.hash)
}

/** Returns true if both ids name the same block with the same parts. */
export function equalBlockIds(a: BlockId, b: BlockId): boolean {
  return equalBytes(a.hash, b.hash) && equalPartSetHeaders(a.partSetHeader, b.partSetHeader)
}

/** Returns true if this is the part set header of a vote for nil: it has no parts and no hash. */
export function isPartSetHeaderZero(header: PartSetHeader): boolean {
  return header.total === 0 && header.hash.length === 0
}

/** True if this is the id of a vote for nil. */
export function isBlockIdZero(id: BlockId): boolean {
  return id.hash.length === 0 && isPartSetHeaderZero(id.partSetHeader)
}

/** True if the id names a block: both of its hashes have their full length, and the block has at least one part. */
export function isBlockIdComplete({ hash, partSetHeader }: BlockId): boolean {
  return hash.length === HASH_SIZE && partSetHeader.total > 0 && partSetHeader.hash.length === HASH_SIZE
}

/**
 * Returns a text for a block id. Equal ids have equal texts. The sort order of the texts is the order in which the
 * reference sorts the block ids of duplicate votes.
 */
export function blockIdKey(id: BlockId): string {
  return bytesToHex(id.hash) + bytesToHex(PartSetHeader.encode(id.partSetHeader))
}

/** Throws {@link BlockError} unless the hash is empty or has its full length. */
export function validateHash(hash: Uint8Array): void {
  if (hash.length !== 0 && hash.length !== HASH_SIZE) {
    const message = `expected size to be ${HASH_SIZE} bytes, got ${hash.length} bytes`
    throw new BlockError(BLOCK_ERRORS.blockId, message)
  }
}

/** Throws {@link BlockError} on a part set header that is not well formed. */
export function validatePartSetHeaderBasic(header: PartSetHeader): void {
  try {
    validateHash(header.hash)
  } catch (cause) {
    throw new BlockError(BLOCK_ERRORS.blockId, `wrong Hash: ${(cause as Error).message}`, { cause })
  }
}

/** Throws {@link BlockError} on a block id that is not well formed. */
export function validateBlockIdBasic(id: BlockId): void {
  try {
    validateHash(id.hash)
  } catch (cause) {
    throw new BlockError(BLOCK_ERRORS.blockId, 'wrong Hash', { cause })
  }
  try {
    validatePartSetHeaderBasic(id.partSetHeader)
  } catch (cause) {
    throw new BlockError(BLOCK_ERRORS.blockId, `wrong PartSetHeader: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Returns the first six bytes of a hash in hex. Zeros fill up a shorter hash. The reference's messages show hashes in
 * this form.
 */
export function fingerprint(bytes: Uint8Array): string {
  const first = new Uint8Array(6)
  first.set(bytes.subarray(0, 6))
  return bytesToHex(first)
}

/** Returns `parts:fingerprint`, the form in which the reference's messages show the header of a part set. */
export function formatPartSetHeader(header: PartSetHeader): string {
  return `${header.total}:${fingerprint(header.hash)}`
}

/** Returns `hash:parts:fingerprint`, the form in which the reference's messages show a block id. */
export function formatBlockId(id: BlockId): string {
  return `${bytesToHex(id.hash)}:${formatPartSetHeader(id.partSetHeader)}`
}
