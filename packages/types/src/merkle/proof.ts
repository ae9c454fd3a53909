import { bytesToHex, equalBytes } from '../bytes/index.ts'
import { HASH_SIZE, sha256 } from '../crypto/hash.ts'
import type { Proof } from '../crypto/wire.ts'
import { MERKLE_ERRORS, MerkleError } from './errors.ts'
import { buildTree, innerHash, leafHash, rootOf } from './tree.ts'

/** The maximum number of inner nodes that a proof may have, which is enough for a tree of 2^100 leaves. */
export const MAX_AUNTS = 100

/** Makes proofs for some of the leaves of one tree. */
export interface Prover {
  readonly root: Uint8Array
  /** Makes the proof of the leaf at `index`. */
  readonly prove: (index: number) => Proof
}

/** Makes a {@link Prover}. Hashes all `leaves` once. */
export function createProver(leaves: readonly Uint8Array[]): Prover {
  if (leaves.length === 0) return { root: sha256(new Uint8Array(0)), prove: noLeaf }
  const tree = buildTree(leaves)
  const prove = (index: number): Proof => {
    if (!(index >= 0 && index < leaves.length)) return noLeaf(index)
    const aunts: Uint8Array[] = []
    let at = index
    for (const level of tree.levels.slice(0, -1)) {
      const sibling = at ^ 1
      // An odd last node has no sibling on this level, so it moves up unchanged.
      if (sibling * 32 < level.length) aunts.push(level.subarray(sibling * 32, sibling * 32 + 32))
      at >>= 1
    }
    const leaf = (tree.levels[0] as Uint8Array).subarray(index * 32, index * 32 + 32)
    return { total: leaves.length, index, leafHash: leaf, aunts }
  }
  return { root: rootOf(tree), prove }
}

function noLeaf(index: number): never {
  throw new MerkleError(MERKLE_ERRORS.proof, `no leaf ${index}`)
}

/** Returns the root of `leaves`, and a proof for each leaf. */
export function proofsFromByteSlices(leaves: readonly Uint8Array[]): {
  readonly root: Uint8Array
  readonly proofs: readonly Proof[]
} {
  const { root, prove } = createProver(leaves)
  return { root, proofs: leaves.map((_, index) => prove(index)) }
}

const invalid = (message: string): MerkleError => new MerkleError(MERKLE_ERRORS.proof, message)

/** Throws {@link MerkleError} on a proof of an impossible shape. */
export function validateProofBasic(proof: Proof): void {
  if (proof.total < 0) throw invalid('negative Total')
  if (proof.index < 0) throw invalid('negative Index')
  if (proof.leafHash.length !== HASH_SIZE) {
    throw invalid(`expected LeafHash size to be ${HASH_SIZE}, got ${proof.leafHash.length}`)
  }
  if (proof.aunts.length > MAX_AUNTS) {
    throw invalid(`expected no more than ${MAX_AUNTS} aunts, got ${proof.aunts.length}`)
  }
  proof.aunts.forEach((aunt, index) => {
    if (aunt.length !== HASH_SIZE) {
      throw invalid(`expected Aunts#${index} size to be ${HASH_SIZE}, got ${aunt.length}`)
    }
  })
}

/** Returns the largest power of two below `total`. */
function splitPoint(total: number): number {
  let split = 1
  while (split * 2 < total) split *= 2
  return split
}

/**
 * Returns the root to which a proof leads. Throws {@link MerkleError} if the number of the proof's aunts does not fit
 * its index and its total.
 */
export function computeRootHash(proof: Proof): Uint8Array {
  let { index, total } = proof
  if (index >= total || index < 0 || total <= 0) throw invalid(`invalid index ${index} and/or total ${total}`)
  // One entry for each level of the tree, from the root to the leaf: true if the leaf is on the left side of the split.
  const sides: boolean[] = []
  while (total > 1) {
    if (sides.length >= proof.aunts.length) throw invalid('expected at least one inner hash')
    const left = splitPoint(total)
    sides.push(index < left)
    if (index < left) total = left
    else {
      index -= left
      total -= left
    }
  }
  if (sides.length !== proof.aunts.length) throw invalid('unexpected inner hashes')
  let hash = proof.leafHash
  for (const [i, aunt] of proof.aunts.entries()) {
    hash = sides[sides.length - 1 - i] === true ? innerHash(hash, aunt) : innerHash(aunt, hash)
  }
  return hash
}

/**
 * Throws {@link MerkleError} unless the proof proves `leaf` under `root`. The caller must check the proof's index and
 * total.
 */
export function verifyProof(proof: Proof, root: Uint8Array, leaf: Uint8Array): void {
  if (proof.total < 0) throw invalid('proof total must be positive')
  if (proof.index < 0) throw invalid('proof index cannot be negative')
  const expected = leafHash(leaf)
  if (!equalBytes(proof.leafHash, expected)) {
    const message = `invalid leaf hash: wanted ${bytesToHex(expected)} got ${bytesToHex(proof.leafHash)}`
    throw new MerkleError(MERKLE_ERRORS.leafMismatch, message)
  }
  const computed = computeRootOf(proof)
  if (!equalBytes(computed, root)) {
    const message = `invalid root hash: wanted ${bytesToHex(root)} got ${bytesToHex(computed)}`
    throw new MerkleError(MERKLE_ERRORS.rootMismatch, message)
  }
}

function computeRootOf(proof: Proof): Uint8Array {
  try {
    return computeRootHash(proof)
  } catch (cause) {
    throw new MerkleError(MERKLE_ERRORS.proof, `compute root hash: ${(cause as Error).message}`, { cause })
  }
}

/** Returns whether {@link verifyProof} accepts the proof. */
export function isProofValid(proof: Proof, root: Uint8Array, leaf: Uint8Array): boolean {
  try {
    verifyProof(proof, root, leaf)
    return true
  } catch {
    return false
  }
}
