import { compareBytes, concatBytes } from '@org/types/bytes'
import { bytes, field, type MessageSchema, message, optional, repeated, uint32 } from '@org/types/schema'
import { find } from './edit.ts'
import { type Child, HASH_BYTES, hashOf, type Leaf, type Load, prefixOf, resolve } from './node.ts'
import { leavesOf } from './traverse.ts'

/* The messages of the protobuf package `cosmos.ics23.v1`, with the field numbers of its file in ICS-23. */

interface LeafOp {
  readonly hash: number
  readonly prehashKey: number
  readonly prehashValue: number
  readonly length: number
  readonly prefix: Uint8Array
}
const LeafOp: MessageSchema<LeafOp> = message('cosmos.ics23.v1.LeafOp', {
  hash: field(1, uint32),
  prehashKey: field(2, uint32),
  prehashValue: field(3, uint32),
  length: field(4, uint32),
  prefix: field(5, bytes),
})

interface InnerOp {
  readonly hash: number
  readonly prefix: Uint8Array
  readonly suffix: Uint8Array
}
const InnerOp: MessageSchema<InnerOp> = message('cosmos.ics23.v1.InnerOp', {
  hash: field(1, uint32),
  prefix: field(2, bytes),
  suffix: field(3, bytes),
})

interface ExistenceProof {
  readonly key: Uint8Array
  readonly value: Uint8Array
  readonly leaf: LeafOp | undefined
  readonly path: readonly InnerOp[]
}
const ExistenceProof: MessageSchema<ExistenceProof> = message('cosmos.ics23.v1.ExistenceProof', {
  key: field(1, bytes),
  value: field(2, bytes),
  leaf: optional(3, LeafOp),
  path: repeated(4, InnerOp),
})

interface NonExistenceProof {
  readonly key: Uint8Array
  readonly left: ExistenceProof | undefined
  readonly right: ExistenceProof | undefined
}
const NonExistenceProof: MessageSchema<NonExistenceProof> = message('cosmos.ics23.v1.NonExistenceProof', {
  key: field(1, bytes),
  left: optional(2, ExistenceProof),
  right: optional(3, ExistenceProof),
})

export interface CommitmentProof {
  readonly exist: ExistenceProof | undefined
  readonly nonexist: NonExistenceProof | undefined
}
export const CommitmentProof: MessageSchema<CommitmentProof> = message('cosmos.ics23.v1.CommitmentProof', {
  exist: optional(1, ExistenceProof),
  nonexist: optional(2, NonExistenceProof),
})

/** The type of the proof operator. `@org/light/ics23` has a decoder for it. */
export const PROOF_TYPE = 'ics23:iavl'

/** The numbers of `HashOp.SHA256`, `LengthOp.VAR_PROTO` and `HashOp.NO_HASH` in the protobuf file of ICS-23. */
const [SHA256, VAR_PROTO, NO_HASH] = [1, 1, 0]
const LENGTH_OF_HASH = Uint8Array.of(HASH_BYTES)
const EMPTY = new Uint8Array(0)

interface Tree {
  readonly tree: Child
  readonly load: Load
}

function proveLeaf({ tree, load }: Tree, { key, value }: Leaf): ExistenceProof {
  const path: InnerOp[] = []
  let node = resolve(tree, load)
  while (node.kind === 'inner') {
    const isLeft = compareBytes(key, node.key) < 0
    const prefix = concatBytes(prefixOf(node), LENGTH_OF_HASH)
    path.push(
      isLeft
        ? { hash: SHA256, prefix, suffix: concatBytes(LENGTH_OF_HASH, hashOf(node.right)) }
        : { hash: SHA256, prefix: concatBytes(prefix, hashOf(node.left), LENGTH_OF_HASH), suffix: EMPTY },
    )
    node = resolve(isLeft ? node.left : node.right, load)
  }
  const leaf = { hash: SHA256, prehashKey: NO_HASH, prehashValue: SHA256, length: VAR_PROTO, prefix: prefixOf(node) }
  return { key, value, leaf, path: path.reverse() }
}

const first = (leaves: Iterable<Leaf>): Leaf | undefined => {
  for (const leaf of leaves) return leaf
  return undefined
}

/**
 * Makes the proof for a key. If the tree has the key, proves its value. Otherwise proves that the tree does not have
 * the key, by the two neighbouring keys.
 */
export function prove(within: Tree, key: Uint8Array): CommitmentProof {
  const leaf = find(within.tree, within.load, key)
  if (leaf !== undefined) return { exist: proveLeaf(within, leaf), nonexist: undefined }
  const before = first(leavesOf(within, { before: key, reverse: true }))
  const after = first(leavesOf(within, { from: key }))
  return {
    exist: undefined,
    nonexist: {
      key,
      left: before && proveLeaf(within, before),
      right: after && proveLeaf(within, after),
    },
  }
}
