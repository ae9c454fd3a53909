import { createMemoryLightStore, heightOf, type LightBlock, type LightStore } from '@org/light'

export interface BackwardsStoreOptions {
  readonly maxBlocks: number
  /**
   * The maximum number of validators and signatures in all blocks together. If a single block has more, the store keeps
   * only this block.
   */
  readonly maxWeight: number
}

const weightOf = ({ commit, validators }: LightBlock): number => commit.signatures.length + validators.validators.length

/**
 * Creates the store for verifications that go backwards. A verification backwards saves blocks that are lower than all
 * other blocks. The main store of the light client, `stored`, cannot keep these blocks: when it is full, it removes its
 * lowest blocks. So each verification backwards would begin again at the lowest block of the main store.
 *
 * The created store keeps the blocks of verifications backwards in memory. It also reads the blocks of `stored`, but
 * never writes to `stored`. If the created store is full, it removes the block that was used least recently.
 */
export function createBackwardsStore(stored: LightStore, { maxBlocks, maxWeight }: BackwardsStoreOptions): LightStore {
  const memoryStore = createMemoryLightStore()
  /**
   * The weight of each block by its height: the number of its validators and signatures. The block that was used least
   * recently is the first.
   */
  const weights = new Map<number, number>()
  let total = 0

  /**
   * Records the weight of a block: the number of its validators and signatures. The weight 0 means that the block is
   * removed from this store.
   */
  function weigh(height: number, weight: number): void {
    total += weight - (weights.get(height) ?? 0)
    weights.delete(height)
    if (weight > 0) weights.set(height, weight)
  }

  function forget(height: number): Promise<void> {
    weigh(height, 0)
    return memoryStore.remove(height)
  }

  /** Makes the block the most recently used block, if it is in this store. Returns the block. */
  function used(block: LightBlock | undefined): LightBlock | undefined {
    const height = block === undefined ? 0 : heightOf(block)
    const weight = weights.get(height)
    if (weight === undefined) return block
    weights.delete(height)
    weights.set(height, weight)
    return block
  }

  const nearest = (
    own: LightBlock | undefined,
    other: LightBlock | undefined,
    isNearer: (a: number, b: number) => boolean,
  ) => (own !== undefined && (other === undefined || isNearer(heightOf(own), heightOf(other))) ? used(own) : other)

  return {
    save: async (block) => {
      const height = heightOf(block)
      // The memory store saves the block before `memoryStore.save` returns its promise. So no other call runs between
      // `weigh` and the saving of the block. If two verifications save the same block, the block is counted once.
      weigh(height, weightOf(block))
      await memoryStore.save(block)
      for (const oldest of weights.keys()) {
        if (oldest === height || (weights.size <= maxBlocks && total <= maxWeight)) break
        await forget(oldest)
      }
    },
    remove: forget,
    at: async (height) => used(await memoryStore.at(height)) ?? stored.at(height),
    before: async (height) => nearest(await memoryStore.before(height), await stored.before(height), (a, b) => a > b),
    after: async (height) => nearest(await memoryStore.after(height), await stored.after(height), (a, b) => a < b),
    firstHeight: async () => {
      const [first, other] = [await memoryStore.firstHeight(), await stored.firstHeight()]
      return first === undefined || other === undefined ? (first ?? other) : Math.min(first, other)
    },
    lastHeight: stored.lastHeight,
    prune: async (size) => {
      for (const oldest of weights.keys()) {
        if (weights.size <= size) break
        await forget(oldest)
      }
    },
    size: memoryStore.size,
    close: memoryStore.close,
  }
}
