import { compareBytes } from '@org/types/bytes'
import { type Child, type Leaf, type Load, resolve, type TreeNode } from './node.ts'

export interface Range {
  /** The first key; default: the smallest. */
  readonly from?: Uint8Array | undefined
  /** The first key after the range. */
  readonly before?: Uint8Array | undefined
  readonly reverse?: boolean | undefined
}

interface TreeReader {
  readonly tree: Child | undefined
  readonly load: Load
}

/** Yields the leaves of a range in the order of their keys. Reads only the nodes that lead to these leaves. */
export function* leavesOf({ tree, load }: TreeReader, { from, before, reverse = false }: Range = {}): Generator<Leaf> {
  const waiting: Child[] = tree === undefined ? [] : [tree]
  for (;;) {
    const next = waiting.pop()
    if (next === undefined) return
    const node = resolve(next, load)
    if (node.kind === 'inner') {
      // Keys below `node.key` are on the left, all others on the right.
      const needsLeft = from === undefined || compareBytes(from, node.key) < 0
      const needsRight = before === undefined || compareBytes(before, node.key) > 0
      const sides = [needsLeft ? node.left : undefined, needsRight ? node.right : undefined]
      if (!reverse) sides.reverse()
      for (const side of sides) if (side !== undefined) waiting.push(side)
      continue
    }
    const isBelow = from !== undefined && compareBytes(node.key, from) < 0
    const isAbove = before !== undefined && compareBytes(node.key, before) >= 0
    if (!isBelow && !isAbove) yield node
  }
}

/** Yields all nodes of a tree, children before their parents. */
export function* nodesOf({ tree, load }: TreeReader): Generator<TreeNode> {
  if (tree === undefined) return
  const node = resolve(tree, load)
  if (node.kind === 'inner') {
    yield* nodesOf({ tree: node.left, load })
    yield* nodesOf({ tree: node.right, load })
  }
  yield node
}
