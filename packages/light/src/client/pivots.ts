import type { LightBlock } from '../block/light-block.ts'

/**
 * The maximum sum of validators and signatures in the unverified blocks in memory. The target, and the block that the
 * bisection needs now, are kept even above this limit. The limit is necessary because one untrusted node sends these
 * blocks, and chooses their size.
 */
export const MAX_HELD_VALIDATORS = 50_000

interface Pivot {
  readonly height: number
  block: LightBlock | undefined
}

/**
 * The unverified blocks of a bisection, which are called pivots: the target, and the fetched blocks between a trusted
 * block and the target. The depth of a pivot is its index in the list of pivots, from the highest block to the lowest.
 * So the target has the depth 0, and a pivot at a greater depth has a lower height.
 */
export interface Pivots {
  readonly depth: () => number
  readonly heightAt: (depth: number) => number
  /** Returns the pivot at a depth. Fetches the block again if it was dropped from memory. */
  readonly at: (depth: number, fetch: (height: number) => Promise<LightBlock>) => Promise<LightBlock>
  /**
   * Returns the blocks in memory whose depth is smaller than `depth`. They are in the order of their depth: the
   * target is first, and each further block has a lower height.
   */
  readonly heldAbove: (depth: number) => readonly LightBlock[]
  readonly push: (block: LightBlock) => void
  /** Removes the pivot at `depth` and all pivots below it, which have greater depths. */
  readonly truncate: (depth: number) => void
}

/** Returns the number of validators plus the number of signatures of a block. */
export const sizeOf = (block: LightBlock | undefined): number =>
  block === undefined ? 0 : block.validators.validators.length + block.commit.signatures.length

export function createPivots(target: LightBlock): Pivots {
  const pivots: Pivot[] = [{ height: target.header.height, block: target }]
  let held = 0

  /**
   * Drops blocks from memory until the other blocks are within the limit. Begins with the highest block below the
   * target, which has the depth 1, because the bisection uses the highest blocks last. Never drops the target and the
   * block at the depth `kept`.
   */
  function shrink(kept: number): void {
    for (let depth = 1; depth < pivots.length && held > MAX_HELD_VALIDATORS; depth++) {
      const pivot = pivots[depth] as Pivot
      if (depth === kept) continue
      held -= sizeOf(pivot.block)
      pivot.block = undefined
    }
  }

  return {
    depth: () => pivots.length,
    heightAt: (depth) => (pivots[depth] as Pivot).height,
    at: async (depth, fetch) => {
      const pivot = pivots[depth] as Pivot
      if (pivot.block !== undefined) return pivot.block
      const block = await fetch(pivot.height)
      pivot.block = block
      held += sizeOf(block)
      shrink(depth)
      return block
    },
    heldAbove: (depth) => pivots.slice(0, depth).flatMap(({ block }) => block ?? []),
    push: (block) => {
      pivots.push({ height: block.header.height, block })
      held += sizeOf(block)
      shrink(pivots.length - 1)
    },
    truncate: (depth) => {
      for (const { block } of pivots.splice(depth)) held -= sizeOf(block)
    },
  }
}
