/** Records the retain height of each node's application. */
export interface RetainHeights {
  /** An answer to Commit; 0 keeps all blocks. */
  readonly asked: (node: string, retainHeight: number) => void
  /** The reason for which the blocks of a node must not begin at `base`; `undefined` if they may. */
  readonly fault: (node: string, base: number) => string | undefined
}

export function createRetainHeights(): RetainHeights {
  /** The last two answers for each node. */
  const answers = new Map<string, readonly [before: number, last: number]>()

  return {
    asked: (node, retainHeight) => {
      const [, last] = answers.get(node) ?? [0, 0]
      answers.set(node, [last, Math.max(last, retainHeight)])
    },
    fault: (node, base) => {
      const [before, last] = answers.get(node) ?? [0, 0]
      if (base > Math.max(1, last) && last > 0)
        return `pruned too much: its lowest block is ${base}, and the retain height is ${last}`
      // Blocks below the last answer may still be stored, blocks below the answer before may not.
      if (base < before)
        return `did not prune: its lowest block is ${base}, and the last retain height but one is ${before}`
      return undefined
    },
  }
}
