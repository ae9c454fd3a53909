import type { LightBlock } from '../block/light-block.ts'

/**
 * The maximum number of validators and signatures in the unverified blocks that are held. One node sends these blocks,
 * and chooses their size.
 */
export const MAX_HELD_VALIDATORS = 50_000

interface Pivot {
  readonly height: number
  block: LightBlock | undefined
}

/**
 * The cache of a bisection: the target, and the fetched blocks between a trusted block and the target, which are not
 * trusted yet.
 */
export interface Pivots {
  readonly depth: () => number
  readonly heightAt: (depth: number) => number
  /** Returns the block at a depth; depth 0 is the target. A block that was dropped is fetched again. */
  readonly at: (depth: number, fetch: (height: number) => Promise<LightBlock>) => Promise<LightBlock>
  /** Returns the held blocks at smaller depths, which are higher blocks, the highest first. */
  readonly heldAbove: (depth: number) => readonly LightBlock[]
  readonly push: (block: LightBlock) => void
  /** Drops the blocks at this depth and at greater depths. */
  readonly truncate: (depth: number) => void
}

/** Returns the number of validators and signatures of a block. */
export const sizeOf = (block: LightBlock | undefined): number =>
  block === undefined ? 0 : block.validators.validators.length + block.commit.signatures.length

export function createPivots(target: LightBlock): Pivots {
  const pivots: Pivot[] = [{ height: target.header.height, block: target }]
  let held = 0

  /** Drops the blocks that the bisection needs last, but neither the target nor the block at the depth `kept`. */
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
