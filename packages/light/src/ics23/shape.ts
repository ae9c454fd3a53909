import type { ics23 } from '@confio/ics23'
import { MERKLE_ERRORS, MerkleError } from '@org/types/crypto'

const failed = (message: string): MerkleError => new MerkleError(MERKLE_ERRORS.operator, message)

/** The maximum number of steps from a leaf to the root. Every real tree has fewer. */
const MAX_STEPS = 256

/**
 * Returns the position after a signed (zigzag) varint. Throws if the varint is incomplete. Also throws if its number is
 * negative, which means that the lowest bit of the first byte is 1.
 */
function skipVarint(bytes: Uint8Array, from: number): number {
  if (((bytes[from] ?? 1) & 1) === 1) throw failed('a number in the prefix of an IAVL node is missing or negative')
  for (let at = from; at < Math.min(bytes.length, from + 10); at++) if ((bytes[at] as number) < 0x80) return at + 1
  throw failed('a number in the prefix of an IAVL node does not end')
}

/**
 * The prefix of an IAVL node begins with three numbers: height, size and version. Returns the number of bytes after
 * them.
 */
function restOfIavlPrefix(prefix: Uint8Array): number {
  let at = 0
  for (let number = 0; number < 3; number++) at = skipVarint(prefix, at)
  return prefix.length - at
}

/**
 * Checks that the bytes are the prefix of an IAVL node at a layer of the tree; a leaf is at layer 0. The library
 * `@confio/ics23` checks only the length of the prefix. Source: `validateIavlOps` of `ics23` in Go.
 */
function checkIavlNode(prefix: Uint8Array, layer: number): void {
  const rest = restOfIavlPrefix(prefix)
  // The first byte contains the height of the node in zigzag form, which is twice the height. A leaf has the height 0,
  // and each node is higher than its child.
  const height = (prefix[0] ?? 0) / 2
  if (layer === 0 ? height !== 0 : height < layer || height > 63) throw failed('an IAVL node has a wrong height')
  if (layer === 0 ? rest === 0 : rest === 1 || rest === 34) return
  throw failed(`the prefix of an IAVL node has ${rest} bytes too many or too few`)
}

export type TreeKind = 'iavl' | 'simple'
const CHILD_SIZES: Readonly<Record<TreeKind, number>> = { iavl: 33, simple: 32 }

/** Checks an inner node of a tree. The suffix of the node must be empty, or the hash of exactly one child. */
function checkInner(kind: TreeKind, { prefix, suffix }: ics23.IInnerOp, layer: number): void {
  const [before, after] = [prefix ?? new Uint8Array(0), suffix ?? new Uint8Array(0)]
  const size = CHILD_SIZES[kind]
  if (after.length !== 0 && after.length !== size) throw failed(`a suffix has ${after.length} bytes, not ${size}`)
  if (kind === 'iavl') checkIavlNode(before, layer)
  else if (before[0] !== 1 || (before.length !== 1 && before.length !== 1 + size)) {
    throw failed(`the prefix of an inner node is wrong: ${before.length} bytes`)
  }
  // The step before computed the hash of one child. So this inner node must contain the hash of the other child, in its
  // prefix or in its suffix.
  const hasLeft = kind === 'iavl' ? restOfIavlPrefix(before) === 34 : before.length > 1
  if (hasLeft === after.length > 0) throw failed('an inner node does not have two children')
}

/**
 * Checks the leaf and the inner nodes of a proof of existence. The library `@confio/ics23` does not make these checks.
 */
export function checkExistence(kind: TreeKind, { leaf, path }: ics23.IExistenceProof): void {
  const steps = path ?? []
  if (steps.length > MAX_STEPS) throw failed(`the proof has ${steps.length} steps, more than ${MAX_STEPS}`)
  const prefix = leaf?.prefix ?? new Uint8Array(0)
  if (kind === 'iavl') checkIavlNode(prefix, 0)
  else if (prefix.length !== 1 || prefix[0] !== 0) throw failed('the prefix of a leaf is not the byte 0')
  for (const [i, step] of steps.entries()) checkInner(kind, step, i + 1)
}
