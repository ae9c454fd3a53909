import { bytesToBinary, concatBytes, concatList } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { bytes as bytesCodec, field, message, safeInt64, safeUint64, uint32 } from '@org/types/schema'
import { LRUCache } from 'lru-cache'
import { APP_ERRORS, AppError } from '../errors.ts'
import type { Storage, StorageOp } from '../storage/port.ts'
import type { Edit } from './edit.ts'
import { type Child, decodeNode, encodeNode, HASH_BYTES, hashOf, type Load, type TreeNode } from './node.ts'

/** The number of the format in which this program stores the state. A storage with another number is refused. */
const LAYOUT = 1
/** The maximum number of bytes of nodes in the cache. */
const CACHE_BYTES = 64 * 1024 * 1024
/** The approximate bytes of memory that a node takes in addition to its key and value. */
const NODE_OVERHEAD = 256
/** The maximum number of old versions that one commit removes. */
const MAX_PRUNED = 100

const PREFIX = { meta: 0x6d, node: 0x6e, orphans: 0x6f, root: 0x72 } as const

const Meta = message('halley.app.Meta', {
  layout: field(1, uint32),
  version: field(2, safeUint64),
  /** The oldest version that is kept. */
  oldest: field(3, safeUint64),
  root: field(4, bytesCodec),
  /** The time of the last block, in milliseconds. */
  time: field(5, safeInt64),
})

const META_KEY = Uint8Array.of(PREFIX.meta)
const EMPTY_ROOT = sha256(new Uint8Array(0))

const nodeKey = (hash: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(PREFIX.node), hash)

function versionKey(prefix: number, version: number): Uint8Array {
  const key = new Uint8Array(9)
  key[0] = prefix
  new DataView(key.buffer).setBigUint64(1, BigInt(version))
  return key
}

/** A version of the state: an unchangeable tree. */
export interface Version {
  /** The height of the block that made this version; 0 before the first block. */
  readonly version: number
  readonly tree: Child | undefined
  readonly hash: Uint8Array
}

/** The versions of the state in a storage. */
export interface Versions {
  readonly load: Load
  /** Returns the last version, with the time of its block. */
  readonly last: () => Version & { readonly time: number }
  /** The oldest version that is kept. */
  readonly oldest: () => number
  /** Returns a version that is kept. Throws an {@link AppError} (`APP_NO_VERSION`). */
  readonly at: (version: number) => Version
  /** Stores a tree as the next version: writes its new nodes, and removes versions that are no longer kept. */
  readonly save: (tree: Child | undefined, edit: Edit, time: number) => Promise<void>
  /** Prevents the removal of a version and of all later versions, until the returned function is called. */
  readonly pin: (version: number) => () => void
  /** Writes nodes that belong to no version yet. */
  readonly addNodes: (nodes: readonly NewNode[]) => Promise<void>
  /** Makes the tree with the hash `root` the only version. All nodes of the tree must have been added before. */
  readonly restore: (version: number, root: Uint8Array) => Promise<void>
}

/**
 * A node of the tree that is not stored yet: the hash of the node, and the encoded node, which is written to the
 * storage.
 */
export interface NewNode {
  readonly hash: Uint8Array
  readonly bytes: Uint8Array
}

/**
 * Calls `add` for each new node of a tree, children before their parents. Does not visit the nodes below a stored node,
 * because all of them are stored, too.
 */
function addNew(child: Child, version: number, add: (node: TreeNode) => void): void {
  if (child.kind === 'stored' || child.version < version) return
  if (child.kind === 'inner') {
    addNew(child.left, version, add)
    addNew(child.right, version, add)
  }
  add(child)
}

interface LatestVersion {
  readonly version: number
  readonly oldest: number
  readonly time: number
  readonly tree: Child | undefined
}

function readMeta(storage: Storage): LatestVersion {
  const bytes = storage.get(META_KEY)
  if (bytes === undefined) return { version: 0, oldest: 0, time: 0, tree: undefined }
  const meta = Meta.decode(bytes)
  if (meta.layout !== LAYOUT) {
    const message = `the state has layout ${meta.layout}, and this program reads layout ${LAYOUT}: use the program that made it, or another folder`
    throw new AppError(APP_ERRORS.corrupt, message)
  }
  return { version: meta.version, oldest: meta.oldest, time: meta.time, tree: toChild(meta.root) }
}

const toChild = (root: Uint8Array): Child | undefined =>
  root.length === 0 ? undefined : { kind: 'stored', hash: root }

function createLoad(storage: Storage): { readonly load: Load; readonly keep: (node: TreeNode) => void } {
  const cache = new LRUCache<string, TreeNode>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (node) => NODE_OVERHEAD + node.key.length + (node.kind === 'leaf' ? node.value.length : 0),
  })
  const load: Load = (hash) => {
    const name = bytesToBinary(hash)
    const known = cache.get(name)
    if (known !== undefined) return known
    const bytes = storage.get(nodeKey(hash))
    if (bytes === undefined)
      throw new AppError(
        APP_ERRORS.corrupt,
        "a node of the state tree is missing in the storage. Restore the application's data",
      )
    const node = decodeNode(bytes, hash)
    cache.set(name, node)
    return node
  }
  const stored = (child: Child): Child => ({ kind: 'stored', hash: hashOf(child) })
  // The cache keeps each node without its children. Otherwise an entry would keep a whole subtree in memory, and the
  // limit of the cache would have no effect.
  const keep = (node: TreeNode): void => {
    const withoutChildren =
      node.kind === 'leaf' ? node : { ...node, left: stored(node.left), right: stored(node.right) }
    cache.set(bytesToBinary(hashOf(node)), withoutChildren)
  }
  return { load, keep }
}

/** Opens the versions in a storage. Keeps the last `kept` versions, and removes older ones. */
export function openVersions(storage: Storage, kept: number): Versions {
  const { load, keep } = createLoad(storage)
  let latest = readMeta(storage)
  const pins = new Set<number>()

  /** The operations that remove the versions before `oldest`. */
  function pruneTo(oldest: number): StorageOp[] {
    const ops: StorageOp[] = []
    for (let version = latest.oldest + 1; version <= oldest; version++) {
      const key = versionKey(PREFIX.orphans, version)
      const orphans = storage.get(key) ?? new Uint8Array(0)
      for (let at = 0; at < orphans.length; at += HASH_BYTES) {
        ops.push({ type: 'del', key: nodeKey(orphans.subarray(at, at + HASH_BYTES)) })
      }
      ops.push({ type: 'del', key }, { type: 'del', key: versionKey(PREFIX.root, version - 1) })
    }
    return ops
  }

  return {
    load,
    last: () => ({ ...latest, hash: latest.tree === undefined ? EMPTY_ROOT : hashOf(latest.tree) }),
    oldest: () => latest.oldest,
    at: (version) => {
      const root = version < latest.oldest ? undefined : storage.get(versionKey(PREFIX.root, version))
      if (root === undefined) {
        const message = `the state of height ${version} is not stored: the stored heights are ${latest.oldest} to ${latest.version}`
        throw new AppError(APP_ERRORS.version, message, { data: { version, oldest: latest.oldest } })
      }
      const tree = toChild(root)
      return { version, tree, hash: tree === undefined ? EMPTY_ROOT : hashOf(tree) }
    },
    save: async (tree, { version, orphans }, time) => {
      const root = tree === undefined ? new Uint8Array(0) : hashOf(tree)
      const ops: StorageOp[] = []
      if (tree !== undefined) {
        addNew(tree, version, (node) => {
          ops.push({ type: 'put', key: nodeKey(hashOf(node)), value: encodeNode(node) })
          keep(node)
        })
      }
      const first = latest.version === 0 ? version : latest.oldest
      const oldest = Math.max(first, Math.min(version - kept + 1, first + MAX_PRUNED, ...pins))
      // Before the first version, the storage has no older version that could be removed.
      if (latest.version > 0) ops.push(...pruneTo(oldest))
      // From this line on, queries of the removed versions are refused.
      latest = { ...latest, oldest }
      const meta = Meta.encode({ layout: LAYOUT, version, oldest, root, time })
      ops.push({ type: 'put', key: versionKey(PREFIX.root, version), value: root })
      if (orphans.length > 0) {
        ops.push({ type: 'put', key: versionKey(PREFIX.orphans, version), value: concatList(orphans) })
      }
      await storage.write([...ops, { type: 'put', key: META_KEY, value: meta }])
      latest = { version, oldest, time, tree: toChild(root) }
    },
    pin: (version) => {
      pins.add(version)
      return () => void pins.delete(version)
    },
    addNodes: (nodes) =>
      storage.write(nodes.map(({ hash, bytes }) => ({ type: 'put', key: nodeKey(hash), value: bytes }))),
    restore: async (version, root) => {
      const value = Meta.encode({ layout: LAYOUT, version, oldest: version, root, time: 0 })
      await storage.write([
        { type: 'put', key: versionKey(PREFIX.root, version), value: root },
        { type: 'put', key: META_KEY, value },
      ])
      latest = { version, oldest: version, time: 0, tree: toChild(root) }
    },
  }
}
