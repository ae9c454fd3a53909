import type { ValidatorSet } from '@org/types'
import { type BlockAbove, blockAbove, type CheckContext, type CheckedBlock, checkBlock } from './check-block.ts'
import type { BackfillOptions } from './options.ts'
import type { HeaderServers, ServedBlock } from './servers.ts'

/** The data that are needed to fetch and verify the first block of a batch. */
export interface BatchStart {
  readonly above: BlockAbove
  /** The validators that the first height of the batch probably has. */
  readonly validators: ValidatorSet
  /** The lowest height that the batch may contain. */
  readonly initialHeight: number
}

/** Verified blocks, the greatest height first, without a gap. */
export interface Batch {
  readonly blocks: readonly CheckedBlock[]
  /** True if no server has the block at the height below the lowest block of the batch. */
  readonly isPruned: boolean
}

export interface BatchModules extends CheckContext {
  readonly options: Pick<BackfillOptions, 'requestsAtOnce' | 'batchHeights' | 'batchSignatures'>
  readonly servers: HeaderServers
  /** Returns true if no evidence can concern a height below this block. */
  readonly isLast: (block: CheckedBlock) => boolean
  readonly signal: AbortSignal
}

/**
 * Verifies the answer of a server. If the answer is wrong, asks other servers until one of them sends the right block.
 */
async function verified(
  first: ServedBlock | undefined,
  { above, validators }: BatchStart,
  modules: BatchModules,
): Promise<CheckedBlock | undefined> {
  const { servers, signal } = modules
  let served = first
  while (served !== undefined) {
    try {
      const block = await checkBlock(served.block, above, modules)
      served.accept()
      return block
    } catch (error) {
      served.refuse(error)
      served = await servers.requestBlock(above.below, { validators, signal })
    }
  }
  return undefined
}

/**
 * Requests the next missing blocks at once, at most `requestsAtOnce` of them. The first block is the one directly below
 * the verified block `above`, and the heights of the further blocks follow downwards.
 */
function askTogether(
  { above, validators, initialHeight }: BatchStart,
  modules: BatchModules,
): Promise<readonly (ServedBlock | undefined)[]> {
  const { options, servers, signal } = modules
  const length = Math.min(options.requestsAtOnce, above.below - initialHeight + 1)
  return Promise.all(
    Array.from({ length }, (_, index) => servers.requestBlock(above.below - index, { validators, signal })),
  )
}

/** Fetches and verifies the next blocks below those that are stored. Rejects only with the reason of the signal. */
export async function fetchBatch(start: BatchStart, modules: BatchModules): Promise<Batch> {
  const { batchHeights, batchSignatures } = modules.options
  const { initialHeight } = start
  const blocks: CheckedBlock[] = []
  let next = start
  let signatures = 0
  for (;;) {
    for (const served of await askTogether(next, modules)) {
      const block = await verified(served, next, modules)
      if (block === undefined) return { blocks, isPruned: true }
      blocks.push(block)
      signatures += block.commit?.signatures.length ?? 0
      if (modules.isLast(block)) return { blocks, isPruned: false }
      next = { above: blockAbove(block.header), validators: block.validators, initialHeight }
    }
    const isFull = blocks.length >= batchHeights || signatures >= batchSignatures
    if (isFull || next.above.below < initialHeight) return { blocks, isPruned: false }
  }
}
