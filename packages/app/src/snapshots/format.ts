import { compareBytes, concatBytes, concatList, equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { bytes, type MessageSchema, message, readUvarint, repeated } from '@org/types/schema'
import { APP_ERRORS, AppError } from '../errors.ts'
import {
  type Child,
  encodeNode,
  hashOf,
  heightOf,
  type Load,
  type NewNode,
  nodesOf,
  sizeOf,
  type TreeNode,
  uvarint,
} from '../tree/index.ts'

/**
 * The number of this snapshot format. A snapshot contains every node of the tree, children before their parents. For
 * each node, the snapshot has the node's height in the tree and its version. For each leaf, the snapshot also has the
 * length of the key, the key, the length of the value, and the value. All other data of a node is computed from its
 * children.
 */
export const SNAPSHOT_FORMAT = 1
/** A chunk is complete when it has reached this size. It is below the 4 MiB that gRPC clients accept by default. */
export const CHUNK_BYTES = 1024 * 1024
/** The maximum number of chunks. The list of their hashes takes 1.1 MB, and peers send at most 4 MB in a message. */
export const MAX_CHUNKS = 32_768
/** The number of tree nodes that are read or made in one turn of the event loop. This work takes about 10 ms. */
export const NODES_PER_TURN = 2000
const HASH_BYTES = 32

/**
 * The metadata of a snapshot: the SHA-256 of each chunk. The SHA-256 of the encoded metadata is the snapshot's hash.
 */
export interface Metadata {
  readonly chunkHashes: readonly Uint8Array[]
}
export const Metadata: MessageSchema<Metadata> = message('halley.app.SnapshotMetadata', {
  chunkHashes: repeated(1, bytes),
})

/**
 * Decodes the metadata of a snapshot. Returns `undefined` if the metadata is damaged, or if its SHA-256 is not `hash`.
 */
export function decodeMetadata(metadata: Uint8Array, hash: Uint8Array): Metadata | undefined {
  if (!equalBytes(sha256(metadata), hash)) return undefined
  try {
    // The hashes are counted before they are decoded. Otherwise short metadata could use much memory, because an empty
    // hash takes only two bytes in the message.
    const decoded = Metadata.decode(metadata, { maxItems: MAX_CHUNKS + 1 })
    const { chunkHashes } = decoded
    const isRight = chunkHashes.length <= MAX_CHUNKS && chunkHashes.every(({ length }) => length === HASH_BYTES)
    return isRight && chunkHashes.length > 0 ? decoded : undefined
  } catch {
    return undefined
  }
}

const withLength = (value: Uint8Array): Uint8Array => concatBytes(uvarint(value.length), value)

function encodeItem(node: TreeNode): Uint8Array {
  const head = [uvarint(heightOf(node)), uvarint(node.version)]
  return concatList(node.kind === 'leaf' ? [...head, withLength(node.key), withLength(node.value)] : head)
}

/**
 * Yields the chunks of a tree. The same tree has the same chunks on every node. Yields `'pause'` after each
 * {@link NODES_PER_TURN} nodes, so that the caller can wait for the next turn of the event loop.
 */
export function* chunksOf(tree: Child | undefined, load: Load): Generator<Uint8Array | 'pause'> {
  let nodes = 0
  let parts: Uint8Array[] = []
  let size = 0
  for (const node of nodesOf({ tree, load })) {
    const item = encodeItem(node)
    parts.push(item)
    size += item.length
    if (++nodes % NODES_PER_TURN === 0) yield 'pause'
    if (size < CHUNK_BYTES) continue
    yield concatList(parts)
    parts = []
    size = 0
  }
  if (size > 0) yield concatList(parts)
}

interface Item {
  readonly height: number
  readonly version: number
  readonly leaf?: { readonly key: Uint8Array; readonly value: Uint8Array }
}

const damaged = (reason: string): AppError =>
  new AppError(APP_ERRORS.snapshot, `a chunk of the snapshot is damaged: ${reason}`)

/**
 * Yields the items of a chunk, one for each node of the tree. If the chunk is damaged, throws an {@link AppError}
 * (`APP_BAD_SNAPSHOT`).
 */
function* itemsOf(chunk: Uint8Array): Generator<Item> {
  let at = 0
  const number = (): number => {
    const found = readUvarint(chunk, at)
    if (found === undefined || found === 'overlong' || !Number.isSafeInteger(found.value))
      throw damaged('it contains an invalid number')
    at += found.size
    return found.value
  }
  const take = (): Uint8Array => {
    const length = number()
    if (length === 0 || length > chunk.length - at)
      throw damaged('the length of a key or a value is 0, or exceeds the rest of the chunk')
    at += length
    // The bytes are copied, so that the chunk itself need not stay in memory.
    return chunk.slice(at - length, at)
  }
  while (at < chunk.length) {
    // An honest node ends a chunk when it has reached this size. Without this limit, a chunk of a dishonest peer could
    // have so many tree nodes that they fill the memory.
    if (at >= CHUNK_BYTES) throw damaged(`it continues after ${CHUNK_BYTES} bytes`)
    const [height, version] = [number(), number()]
    yield height > 0 ? { height, version } : { height, version, leaf: { key: take(), value: take() } }
  }
}

/**
 * A complete subtree: all nodes of the subtree have been added. The members of this type are the data of the root of
 * the subtree.
 */
interface Built {
  readonly hash: Uint8Array
  readonly height: number
  readonly size: number
  readonly smallest: Uint8Array
}

export interface Builder {
  /**
   * Adds the nodes of a chunk to the tree. Yields the added nodes in lists of at most {@link NODES_PER_TURN}, so that
   * the caller can write them to the storage. If the chunk is damaged, throws an {@link AppError} (`APP_BAD_SNAPSHOT`).
   */
  readonly add: (chunk: Uint8Array) => Generator<readonly NewNode[]>
  /** The hash of the whole tree. Throws an {@link AppError} if nodes are missing. */
  readonly root: () => Uint8Array
}

/** The maximum height of a tree. No balanced tree reaches it. */
const MAX_HEIGHT = 128

/**
 * Builds the tree of a snapshot from its chunks. The chunks come from untrusted peers. They are right only if the hash
 * of the root is the expected app hash.
 */
export function createBuilder(maxVersion: number): Builder {
  const waiting: Built[] = []

  function nodeOf({ version, leaf, height }: Item): TreeNode & { readonly smallest: Uint8Array } {
    if (version > maxVersion || height > MAX_HEIGHT) throw damaged('a version or a height is too large')
    if (leaf !== undefined) return { kind: 'leaf', ...leaf, version, smallest: leaf.key }
    const [right, left] = [waiting.pop(), waiting.pop()]
    if (left === undefined || right === undefined) throw damaged('a node does not have two children')
    if (compareBytes(left.smallest, right.smallest) >= 0) throw damaged('its keys are not in order')
    return {
      ...{ kind: 'inner', key: right.smallest, version, smallest: left.smallest },
      left: { kind: 'stored', hash: left.hash },
      right: { kind: 'stored', hash: right.hash },
      height: Math.max(left.height, right.height) + 1,
      size: left.size + right.size,
    }
  }

  return {
    *add(chunk) {
      let nodes: NewNode[] = []
      for (const item of itemsOf(chunk)) {
        const node = nodeOf(item)
        const hash = hashOf(node)
        nodes.push({ hash, bytes: encodeNode(node) })
        waiting.push({ hash, height: heightOf(node), size: sizeOf(node), smallest: node.smallest })
        if (waiting.length > MAX_HEIGHT) throw damaged('the tree is not balanced')
        if (nodes.length < NODES_PER_TURN) continue
        yield nodes
        nodes = []
      }
      yield nodes
    },
    root: () => {
      const [root] = waiting
      if (root === undefined || waiting.length > 1) throw damaged('nodes of the tree are missing')
      return root.hash
    },
  }
}
