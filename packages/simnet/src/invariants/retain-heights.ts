/** Records the retain height of each node's application. */
export interface RetainHeights {
  /** To be called with the retain height in each answer to Commit; 0 keeps all blocks. */
  readonly asked: (node: string, retainHeight: number) => void
  /**
   * Checks the height `base` of the lowest block that a node stores. Returns a text that describes the fault;
   * `undefined` if `base` agrees with the retain heights.
   */
  readonly fault: (node: string, base: number) => string | undefined
}

export function createRetainHeights(): RetainHeights {
  /** The last two retain heights of each node. */
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
      // Blocks below the newest retain height may still be stored. Blocks below the previous retain height must be
      // removed.
      if (base < before)
        return `did not prune: its lowest block is ${base}, and the last retain height but one is ${before}`
      return undefined
    },
  }
}
