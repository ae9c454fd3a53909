import { concatBytes, concatList } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { readUvarint } from '@org/types/schema'
import { APP_ERRORS, AppError } from '../errors.ts'

/*
 * The nodes of an IAVL+ tree, which is a balanced tree with the pairs in its leaves. The hashes are those of the Cosmos
 * SDK's store. A node never changes; a change makes new nodes on the way to the root. Source of the format: the proof
 * specification `iavl` of ICS-23.
 */

export interface Leaf {
  readonly kind: 'leaf'
  readonly key: Uint8Array
  readonly value: Uint8Array
  /** The version that made the node. */
  readonly version: number
  /** The hash, which is computed when it is needed. */
  hash?: Uint8Array
}

export interface Inner {
  readonly kind: 'inner'
  /** The smallest key of the right child. The keys of the left child are smaller. */
  readonly key: Uint8Array
  readonly left: Child
  readonly right: Child
  readonly version: number
  readonly height: number
  /** The number of leaves below this node. */
  readonly size: number
  hash?: Uint8Array
}

export type TreeNode = Leaf | Inner

/** A reference to a node that is in the storage. The hash is the key of the node in the storage. */
export interface Stored {
  readonly kind: 'stored'
  readonly hash: Uint8Array
}

export type Child = TreeNode | Stored

/** Reads from the storage the node that has this hash. */
export type Load = (hash: Uint8Array) => TreeNode

export const resolve = (child: Child, load: Load): TreeNode => (child.kind === 'stored' ? load(child.hash) : child)
export const heightOf = (node: TreeNode): number => (node.kind === 'leaf' ? 0 : node.height)
export const sizeOf = (node: TreeNode): number => (node.kind === 'leaf' ? 1 : node.size)

export const HASH_BYTES = 32
const LENGTH_OF_HASH = Uint8Array.of(HASH_BYTES)

/** An unsigned varint of a safe integer. */
export function uvarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  bytes.push(rest)
  return Uint8Array.from(bytes)
}

const withLength = (bytes: Uint8Array): Uint8Array => concatBytes(uvarint(bytes.length), bytes)

/** Returns the first bytes of a node's hash input: height, size and version, each as a signed (zigzag) varint. */
export const prefixOf = (node: TreeNode): Uint8Array =>
  concatList([heightOf(node), sizeOf(node), node.version].map((number) => uvarint(number * 2)))

/** Returns the hash of a node. Computes the hashes of the new nodes below it, too. */
export function hashOf(child: Child): Uint8Array {
  if (child.hash !== undefined) return child.hash
  const node = child as TreeNode
  if (node.kind === 'leaf') {
    node.hash = sha256(concatBytes(prefixOf(node), withLength(node.key), withLength(sha256(node.value))))
  } else {
    const [left, right] = [hashOf(node.left), hashOf(node.right)]
    node.hash = sha256(concatBytes(prefixOf(node), LENGTH_OF_HASH, left, LENGTH_OF_HASH, right))
  }
  return node.hash
}

/** The bytes of a node in the storage. An inner node names its children by their hashes. */
export function encodeNode(node: TreeNode): Uint8Array {
  const head = [uvarint(heightOf(node)), uvarint(sizeOf(node)), uvarint(node.version), withLength(node.key)]
  const rest = node.kind === 'leaf' ? [withLength(node.value)] : [hashOf(node.left), hashOf(node.right)]
  return concatList([...head, ...rest])
}

const damaged = (reason: string): AppError =>
  new AppError(APP_ERRORS.corrupt, `a node of the state tree is damaged: ${reason}. Restore the application's data`)

/** Reads the bytes of {@link encodeNode}. Throws an {@link AppError} (`APP_BAD_STATE`). */
export function decodeNode(bytes: Uint8Array, hash: Uint8Array): TreeNode {
  let at = 0
  const number = (): number => {
    const found = readUvarint(bytes, at)
    if (found === undefined || found === 'overlong') throw damaged('it contains an invalid number')
    at += found.size
    return found.value
  }
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw damaged(`it is incomplete, with ${bytes.length} bytes`)
    at += length
    return bytes.subarray(at - length, at)
  }
  const [height, size, version] = [number(), number(), number()]
  const key = take(number())
  if (height === 0) return { kind: 'leaf', key, value: take(number()), version, hash }
  const left: Stored = { kind: 'stored', hash: take(HASH_BYTES) }
  const right: Stored = { kind: 'stored', hash: take(HASH_BYTES) }
  return { kind: 'inner', key, left, right, version, height, size, hash }
}
