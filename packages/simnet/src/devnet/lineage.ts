/**
 * The branches of the chain that lead to one moment. After each return to a snapshot a new branch begins, with other
 * blocks of the same heights.
 */
export type Lineage = readonly { readonly from: number; readonly branch: number }[]

/** Records the branches of a chain, and the branch to which each block belongs. */
export interface Lineages {
  readonly current: () => Lineage
  /**
   * Must be called when the chain goes back to a saved moment. `to` is the lineage of that moment. The blocks after
   * `height` will belong to a new branch.
   */
  readonly goBack: (to: Lineage, height: number) => void
}

export function createLineages(): Lineages {
  let branches = 0
  let current: Lineage = [{ from: 0, branch: 0 }]
  return {
    current: () => current,
    goBack: (to, height) => {
      current = [...to, { from: height + 1, branch: ++branches }]
    },
  }
}

function branchAt(line: Lineage, height: number): number | undefined {
  return line.findLast(({ from }) => from <= height)?.branch
}

/**
 * Returns true if this height belongs to the same branch in two lineages. A branch has at most one block of each
 * height. So the two lineages cannot have different blocks of this height.
 */
export function isShared(one: Lineage, other: Lineage, height: number): boolean {
  return branchAt(one, height) === branchAt(other, height)
}
