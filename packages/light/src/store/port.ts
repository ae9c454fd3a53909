import type { LightBlock } from '../block/light-block.ts'

/**
 * The trusted light blocks of one chain. Heights are at least 1. The adapters: {@link createMemoryLightStore},
 * `openLevelLightStore` of `@org/light/level`, and `openIndexedDbLightStore` of `@org/light/indexeddb`. Every method
 * rejects with a {@link LightError} (`LIGHT_STORE`) if the storage fails.
 */
export interface LightStore {
  /** Resolves when the block is durable. A block of the same height is replaced. */
  readonly save: (block: LightBlock) => Promise<void>
  /** Removes the block at a height, if it is stored. */
  readonly remove: (height: number) => Promise<void>
  /** Returns the block at a height, or `undefined` if it is not stored. */
  readonly at: (height: number) => Promise<LightBlock | undefined>
  /** Returns the stored block with the greatest height below `height`. */
  readonly before: (height: number) => Promise<LightBlock | undefined>
  /** Returns the stored block with the lowest height above `height`. */
  readonly after: (height: number) => Promise<LightBlock | undefined>
  /** Returns the lowest height, or `undefined` if the store is empty. */
  readonly firstHeight: () => Promise<number | undefined>
  /** Returns the greatest height, or `undefined` if the store is empty. */
  readonly lastHeight: () => Promise<number | undefined>
  /** Removes the blocks with the lowest heights until at most `size` are left. */
  readonly prune: (size: number) => Promise<void>
  /** Returns the number of stored blocks. */
  readonly size: () => Promise<number>
  readonly close: () => Promise<void>
}
