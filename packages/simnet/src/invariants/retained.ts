/** Knows from which height on the application of each node wants the blocks kept. */
export interface Retained {
  /** An answer to Commit; 0 keeps all. */
  readonly asked: (node: string, retainHeight: number) => void
  /** Why the blocks of a node must not begin there. */
  readonly fault: (node: string, base: number) => string | undefined
}

export function createRetained(): Retained {
  /** The last two of each node. */
  const answers = new Map<string, readonly [before: number, last: number]>()

  return {
    asked: (node, retainHeight) => {
      const [, last] = answers.get(node) ?? [0, 0]
      answers.set(node, [last, Math.max(last, retainHeight)])
    },
    fault: (node, base) => {
      const [before, last] = answers.get(node) ?? [0, 0]
      if (base > Math.max(1, last) && last > 0)
        return `keeps blocks from ${base} on, asked to keep those from ${last} on`
      // What the last answer lets go may not be gone yet.
      if (base < before) return `keeps blocks from ${base} on, and was let go of those before ${before}`
      return undefined
    },
  }
}
