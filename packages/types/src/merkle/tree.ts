import { createDigestBuffer } from '#crypto'
import { sha256 } from '../crypto/hash.ts'

const EMPTY = new Uint8Array(0)

/** Returns the hash of a leaf (RFC 6962). A tag before the bytes ensures that no leaf can be read as an inner node. */
export function leafHash(leaf: Uint8Array): Uint8Array {
  const tagged = new Uint8Array(leaf.length + 1)
  tagged.set(leaf, 1)
  return sha256(tagged)
}

/** Returns the hash of an inner node (RFC 6962) from the hashes of its two children. */
export function innerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const tagged = new Uint8Array(65)
  tagged[0] = 1
  tagged.set(left, 1)
  tagged.set(right, 33)
  return sha256(tagged)
}

/** The levels of a tree, with the leaves first. Each level has the digests of its nodes one after the other. */
export interface TreeLevels {
  readonly levels: readonly Uint8Array[]
  readonly leafCount: number
}

/**
 * Returns all nodes of the tree over `leaves` (at least one). Neighbours are paired level by level, and an odd last
 * node moves up unchanged. RFC 6962 defines the same tree by splits at the largest power of two.
 */
export function buildTree(leaves: readonly Uint8Array[]): TreeLevels {
  return finish(treeSteps(leaves))
}

/**
 * The number of digests after which the computation yields. It makes this number of digests in about two milliseconds.
 */
export const DIGESTS_PER_STEP = 1000

/** Runs all steps of a long computation without a pause, and returns its result. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Builds the tree as {@link buildTree} does. Yields after each {@link DIGESTS_PER_STEP} digests. */
export function* treeSteps(leaves: readonly Uint8Array[]): Generator<void, TreeLevels> {
  let longest = 64
  for (const leaf of leaves) longest = Math.max(longest, leaf.length)
  const scratch = new Uint8Array(longest + 1)

  const bottom = createDigestBuffer(leaves.length)
  let last: Uint8Array | undefined
  for (const [index, leaf] of leaves.entries()) {
    if (index % DIGESTS_PER_STEP === DIGESTS_PER_STEP - 1) yield
    // If the leaf is the same object as the leaf before, its hash is copied. Most results of a block's transactions
    // have the same bytes.
    if (leaf === last) bottom.bytes.copyWithin(index * 32, index * 32 - 32, index * 32)
    else {
      scratch.set(leaf, 1)
      bottom.put(scratch.subarray(0, leaf.length + 1), index * 32)
    }
    last = leaf
  }

  const levels = [bottom.bytes]
  const pair = scratch.subarray(0, 65)
  pair[0] = 1
  for (let below = bottom.bytes; below.length > 32; ) {
    const count = below.length / 32
    const level = createDigestBuffer((count + 1) >> 1)
    for (let index = 0; index + 1 < count; index += 2) {
      if (index % (2 * DIGESTS_PER_STEP) === 2 * DIGESTS_PER_STEP - 2) yield
      pair.set(below.subarray(index * 32, index * 32 + 64), 1)
      level.put(pair, index * 16)
    }
    if (count % 2 === 1) level.bytes.set(below.subarray((count - 1) * 32), level.bytes.length - 32)
    levels.push(level.bytes)
    below = level.bytes
  }
  return { levels, leafCount: leaves.length }
}

export function rootOf(tree: TreeLevels): Uint8Array {
  return (tree.levels.at(-1) as Uint8Array).slice()
}

/** Returns the Merkle root of `count` leaves (at least one) that are all equal. */
export function hashFromEqualLeaves(leaf: Uint8Array, count: number): Uint8Array {
  // All leaves are equal. So on each level of the tree, all nodes but the last are equal, and only the first and the
  // last node are computed.
  let first = leafHash(leaf)
  let last = first
  for (let nodes = count; nodes > 1; nodes = (nodes + 1) >> 1) {
    const next = nodes === 2 ? innerHash(first, last) : innerHash(first, first)
    if (nodes % 2 === 0) last = nodes === 2 ? next : last === first ? next : innerHash(first, last)
    first = next
  }
  return first
}

/** Returns the Merkle root of `leaves`. Without leaves it is the SHA-256 of an empty input. */
export function hashFromByteSlices(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(EMPTY)
  if (leaves.length === 1) return leafHash(leaves[0] as Uint8Array)
  return rootOf(buildTree(leaves))
}
