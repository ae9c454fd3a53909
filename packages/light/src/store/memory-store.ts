import { heightOf, type LightBlock } from '../block/light-block.ts'
import type { LightStore } from './port.ts'

/** Returns the number of heights in `sorted` that are below `height`. */
function countBelow(sorted: readonly number[], height: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < height) low = middle + 1
    else high = middle
  }
  return low
}

/** Makes a store in memory, which loses its blocks when the process or the page ends. */
export function createMemoryLightStore(): LightStore {
  const blocks = new Map<number, LightBlock>()
  /** The heights of `blocks`, ascending. */
  const heights: number[] = []

  const remove = (height: number): void => {
    if (blocks.delete(height)) heights.splice(countBelow(heights, height), 1)
  }
  return {
    save: async (block) => {
      const height = heightOf(block)
      if (!blocks.has(height)) heights.splice(countBelow(heights, height), 0, height)
      blocks.set(height, block)
    },
    remove: async (height) => remove(height),
    at: async (height) => blocks.get(height),
    before: async (height) => {
      const found = heights[countBelow(heights, height) - 1]
      return found === undefined ? undefined : blocks.get(found)
    },
    after: async (height) => {
      const found = heights[countBelow(heights, height + 1)]
      return found === undefined ? undefined : blocks.get(found)
    },
    firstHeight: async () => heights[0],
    lastHeight: async () => heights.at(-1),
    prune: async (size) => {
      const surplus = heights.slice(0, Math.max(0, heights.length - size))
      for (const height of surplus) blocks.delete(height)
      heights.splice(0, surplus.length)
    },
    size: async () => heights.length,
    close: async () => undefined,
  }
}
