import { compareBytes } from '@org/types/bytes'
import { type Child, heightOf, type Inner, type Leaf, type Load, resolve, sizeOf, type TreeNode } from './node.ts'

/**
 * A change of a tree. The change makes a new version, and collects the stored nodes that the new version does not
 * contain.
 */
export interface Edit {
  readonly load: Load
  /** The version that is being made. */
  readonly version: number
  /** The hashes of stored nodes that only older versions have. */
  readonly orphans: Uint8Array[]
}

function drop(edit: Edit, node: TreeNode): void {
  // A node that this edit made is not in the storage yet, so it is not an orphan.
  if (node.version < edit.version && node.hash !== undefined) edit.orphans.push(node.hash)
}

interface Sides {
  readonly key: Uint8Array
  readonly left: Child
  readonly right: Child
}

function join(edit: Edit, { key, left, right }: Sides): Inner {
  const [before, after] = [resolve(left, edit.load), resolve(right, edit.load)]
  return {
    ...{ kind: 'inner', key, left, right, version: edit.version },
    height: Math.max(heightOf(before), heightOf(after)) + 1,
    size: sizeOf(before) + sizeOf(after),
  }
}

/** Returns the height of the left side minus the height of the right side. */
function lean(edit: Edit, node: Sides): number {
  return heightOf(resolve(node.left, edit.load)) - heightOf(resolve(node.right, edit.load))
}

function rotateRight(edit: Edit, node: Sides): Inner {
  const left = resolve(node.left, edit.load) as Inner
  drop(edit, left)
  const right = join(edit, { key: node.key, left: left.right, right: node.right })
  return join(edit, { key: left.key, left: left.left, right })
}

function rotateLeft(edit: Edit, node: Sides): Inner {
  const right = resolve(node.right, edit.load) as Inner
  drop(edit, right)
  const left = join(edit, { key: node.key, left: node.left, right: right.left })
  return join(edit, { key: right.key, left, right: right.right })
}

/** Makes an inner node. The heights of its sides differ by one at most. */
function balance(edit: Edit, sides: Sides): Inner {
  const by = lean(edit, sides)
  if (by > 1) {
    const left = resolve(sides.left, edit.load) as Inner
    if (lean(edit, left) >= 0) return rotateRight(edit, sides)
    drop(edit, left)
    return rotateRight(edit, { ...sides, left: rotateLeft(edit, left) })
  }
  if (by < -1) {
    const right = resolve(sides.right, edit.load) as Inner
    if (lean(edit, right) <= 0) return rotateLeft(edit, sides)
    drop(edit, right)
    return rotateLeft(edit, { ...sides, right: rotateRight(edit, right) })
  }
  return join(edit, sides)
}

/** Returns the tree with the pair of `leaf`. The pair replaces a former value of the same key. */
export function insert(edit: Edit, tree: Child | undefined, leaf: Leaf): TreeNode {
  if (tree === undefined) return leaf
  const node = resolve(tree, edit.load)
  const order = compareBytes(leaf.key, node.key)
  if (node.kind === 'leaf') {
    if (order < 0) return join(edit, { key: node.key, left: leaf, right: node })
    if (order > 0) return join(edit, { key: leaf.key, left: node, right: leaf })
    drop(edit, node)
    return leaf
  }
  drop(edit, node)
  const { key, left, right } = node
  return order < 0
    ? balance(edit, { key, left: insert(edit, left, leaf), right })
    : balance(edit, { key, left, right: insert(edit, right, leaf) })
}

interface Removed {
  readonly tree: Child | undefined
  /**
   * The smallest key of the tree after the removal. It is `undefined` if the smallest key is the same as before, or
   * if the tree is empty.
   */
  readonly smallest?: Uint8Array | undefined
}

/** Removes a key that the tree has. */
function removeFrom(edit: Edit, tree: Child, key: Uint8Array): Removed {
  const node = resolve(tree, edit.load)
  drop(edit, node)
  if (node.kind === 'leaf') return { tree: undefined }
  if (compareBytes(key, node.key) < 0) {
    const { tree: left, smallest } = removeFrom(edit, node.left, key)
    if (left === undefined) return { tree: node.right, smallest: node.key }
    return { tree: balance(edit, { ...node, left }), smallest }
  }
  const { tree: right, smallest } = removeFrom(edit, node.right, key)
  if (right === undefined) return { tree: node.left }
  return { tree: balance(edit, { key: smallest ?? node.key, left: node.left, right }) }
}

/** Returns the tree without the key. If the tree does not have the key, returns the same tree. */
export function remove(edit: Edit, tree: Child | undefined, key: Uint8Array): Child | undefined {
  if (tree === undefined || find(tree, edit.load, key) === undefined) return tree
  return removeFrom(edit, tree, key).tree
}

/** Returns the leaf of a key; `undefined` if the tree does not have the key. */
export function find(tree: Child | undefined, load: Load, key: Uint8Array): Leaf | undefined {
  if (tree === undefined) return undefined
  let node = resolve(tree, load)
  while (node.kind === 'inner') {
    node = resolve(compareBytes(key, node.key) < 0 ? node.left : node.right, load)
  }
  return compareBytes(key, node.key) === 0 ? node : undefined
}
