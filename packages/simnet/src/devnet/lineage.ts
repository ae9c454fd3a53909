/** The line of blocks that lead to one moment: after each return to a snapshot the chain makes other blocks of the same heights. */
export type Lineage = readonly { readonly from: number; readonly branch: number }[]

/** Follows which blocks belong together. */
export interface Lineages {
  readonly current: () => Lineage
  /** The chain goes back to a moment; the blocks after `height` are new. */
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

/** Whether two lines have the same block at this height, if both have one. */
export function isShared(one: Lineage, other: Lineage, height: number): boolean {
  return branchAt(one, height) === branchAt(other, height)
}
