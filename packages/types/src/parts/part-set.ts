import { BitSet } from '../bits/index.ts'
import { equalPartSetHeaders } from '../block-id/block-id.ts'
import { BLOCK_ERRORS, BlockError } from '../block-id/errors.ts'
import type { PartSetHeader } from '../block-id/id.ts'
import { concatList, equalBytes } from '../bytes/index.ts'
import { isProofValid, proofsFromByteSlices, validateProofBasic } from '../merkle/proof.ts'
import type { Part } from './part.ts'
import { MAX_BLOCK_SIZE_BYTES } from './size.ts'

/** The number of bytes of each part except the last. */
export const BLOCK_PART_SIZE_BYTES = 65536
/** The maximum number of parts that a block can have. */
export const MAX_BLOCK_PARTS_COUNT: number = Math.floor(MAX_BLOCK_SIZE_BYTES / BLOCK_PART_SIZE_BYTES) + 1

/** Throws {@link BlockError} on a part that is not well formed. The proof is not verified. */
export function validatePartBasic(part: Part): void {
  const { index, bytes, proof } = part
  if (bytes.length > BLOCK_PART_SIZE_BYTES) throw new BlockError(BLOCK_ERRORS.part, 'error part size too big')
  if (index < proof.total - 1 && bytes.length !== BLOCK_PART_SIZE_BYTES) {
    throw new BlockError(BLOCK_ERRORS.part, 'error inner part with invalid size')
  }
  if (index !== proof.index) {
    throw new BlockError(BLOCK_ERRORS.part, `invalid part: part index ${index} != proof index ${proof.index}`)
  }
  try {
    validateProofBasic(proof)
  } catch (cause) {
    const message = `invalid part: wrong Proof: ${(cause as Error).message}`
    throw new BlockError(BLOCK_ERRORS.part, message, { cause })
  }
}

/**
 * The bytes of a block in parts, each with a proof for the part set header. The proposer makes a complete set. A node
 * that receives the block adds one part after the other.
 */
export class PartSet {
  readonly header: PartSetHeader
  readonly #parts: (Part | undefined)[]
  readonly #bits: BitSet
  #count = 0
  #byteSize = 0
  /** The part whose proof was verified most recently. The proof of this part is not verified again. */
  #proven: Part | undefined

  constructor(header: PartSetHeader) {
    // The number of parts comes from a peer. If it is larger than the number of parts of the largest block, it is
    // refused before memory is allocated for the parts.
    if (header.total > MAX_BLOCK_PARTS_COUNT) {
      const message = `a part set of ${header.total} parts exceeds the limit of ${MAX_BLOCK_PARTS_COUNT} parts`
      throw new BlockError(BLOCK_ERRORS.part, message)
    }
    this.header = header
    this.#parts = Array.from({ length: header.total }, () => undefined)
    this.#bits = new BitSet(header.total)
  }

  get total(): number {
    return this.header.total
  }

  /** The number of parts that are present. */
  get count(): number {
    return this.#count
  }

  /** The number of bytes of the parts that are present. */
  get byteSize(): number {
    return this.#byteSize
  }

  get isComplete(): boolean {
    return this.#count === this.header.total
  }

  /** A copy of the bits that show which parts are present. */
  get bits(): BitSet {
    return this.#bits.copy()
  }

  get parts(): readonly (Part | undefined)[] {
    return this.#parts
  }

  part(index: number): Part | undefined {
    return this.#parts[index]
  }

  hasHeader(header: PartSetHeader): boolean {
    return equalPartSetHeaders(this.header, header)
  }

  hashesTo(hash: Uint8Array): boolean {
    return equalBytes(this.header.hash, hash)
  }

  /**
   * Returns true if the set does not have the part yet, and the part's proof leads from the part to the hash in the
   * part set header. If the caller then adds the same object, {@link addPart} does not verify the proof again.
   */
  isMissing(part: Part): boolean {
    return part.index < this.header.total && this.#parts[part.index] === undefined && this.#isProven(part)
  }

  /**
   * Adds a part. Returns false if the part is present already. Throws {@link BlockError} if the index is outside of the
   * set, or if the proof does not lead from the part to the hash in the part set header.
   */
  addPart(part: Part): boolean {
    if (part.index >= this.header.total) {
      throw new BlockError(BLOCK_ERRORS.partIndex, 'error part set unexpected index')
    }
    if (this.#parts[part.index] !== undefined) return false
    if (!this.#isProven(part)) {
      throw new BlockError(BLOCK_ERRORS.partProof, 'error part set invalid proof')
    }
    this.#put(part)
    return true
  }

  #isProven(part: Part): boolean {
    if (part === this.#proven) return true
    const { total, hash } = this.header
    if (part.proof.total !== total || !isProofValid(part.proof, hash, part.bytes)) return false
    this.#proven = part
    return true
  }

  #put(part: Part): void {
    this.#parts[part.index] = part
    this.#bits.set(part.index, true)
    this.#count++
    this.#byteSize += part.bytes.length
  }

  /** The bytes of the whole block. Throws {@link BlockError} while parts are missing. */
  get bytes(): Uint8Array {
    if (!this.isComplete) throw new BlockError(BLOCK_ERRORS.partSet, 'the part set is incomplete')
    if (this.#parts.length === 1) return (this.#parts[0] as Part).bytes
    return concatList(this.#parts.map((part) => (part as Part).bytes))
  }

  /** Returns the reference's JSON: `{"count/total":"1/2","parts_bit_array":"x_"}`. */
  toJSON(): { readonly 'count/total': string; readonly parts_bit_array: string | null } {
    const bits = this.header.total === 0 ? null : this.#bits.toString()
    return { 'count/total': `${this.#count}/${this.header.total}`, parts_bit_array: bits }
  }

  static fromBytes(given: Uint8Array, partSize: number): PartSet {
    const bytes = given.buffer.byteLength > given.length * 2 ? new Uint8Array(given) : given
    const total = Math.ceil(bytes.length / partSize)
    const pieces = Array.from({ length: total }, (_, i) => bytes.subarray(i * partSize, (i + 1) * partSize))
    const { root, proofs } = proofsFromByteSlices(pieces)
    const set = new PartSet({ total, hash: root })
    for (const [index, proof] of proofs.entries()) set.#put({ index, bytes: pieces[index] as Uint8Array, proof })
    return set
  }
}

/**
 * Makes the complete part set of a block's bytes. The parts are views of `bytes`. If `bytes` is itself a view of a
 * buffer that is more than twice as large, `bytes` is copied first, so that the parts do not keep the large buffer in
 * memory.
 */
export function makePartSet(bytes: Uint8Array, partSize: number = BLOCK_PART_SIZE_BYTES): PartSet {
  return PartSet.fromBytes(bytes, partSize)
}

/**
 * Makes an empty part set, to which parts are added. Throws {@link BlockError} if the header claims more parts than a
 * block can have.
 */
export function partSetFromHeader(header: PartSetHeader): PartSet {
  return new PartSet(header)
}
