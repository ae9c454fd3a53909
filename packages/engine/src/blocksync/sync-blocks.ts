import type { Logger } from '@org/runtime'
import { createLifecycle, isCodedError, messageOf } from '@org/runtime'
import type { Commit, State } from '@org/types'
import type { Time } from '@org/types/time'
import type { BlockExecutor } from '../execution/index.ts'
import { POOLED_SIGNATURES } from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import { type Pair, pairAt } from './look-ahead.ts'
import type { BlockSyncMetrics } from './metrics.ts'
import { createPairChecker, type HelpedChecker } from './pair-checker.ts'
import type { BlockPool } from './pool/index.ts'
import { createSyncRate } from './sync-rate.ts'
import type { VerifiedBlock } from './verify-block.ts'

export interface SyncModules {
  readonly pool: BlockPool
  readonly executor: Pick<BlockExecutor, 'validateBlock' | 'applyVerifiedBlock' | 'durable'>
  readonly blockStore: Pick<BlockStore, 'saveBlock' | 'saveBlockWithExtendedCommit'>
  readonly monotonic: () => number
  /** Returns the present time in nanoseconds since 1970. */
  readonly now: () => bigint
  /** Verifies signatures. Default: libsodium on this thread, or the thread pool if libsodium is missing. */
  readonly signatures?: HelpedChecker | undefined
  readonly metrics: BlockSyncMetrics
  readonly logger: Logger
  /**
   * Called if one of the next two blocks is bad: the next block, or its successor, which contains the commit by which
   * the next block was verified. `sender` is the peer that sent the bad block.
   */
  readonly onBadBlock: (reason: Error, sender: string) => void
  /** Called when the pool has removed the next block, so that requests for further blocks can be sent. */
  readonly onApplied: () => void
  /** Called with the size in bytes of each block that was applied. */
  readonly onSynced?: ((bytes: number) => void) | undefined
  /** Called when no block can be applied now. */
  readonly onIdle: () => void
  /** Called if a valid block cannot be applied, for example because the disk is full. */
  readonly onFailure: (error: unknown) => void
}

/** Applies the pool's blocks one after the other. */
export interface BlockSyncer {
  readonly state: () => State
  readonly blocksSynced: () => number
  /** To be called when there may be blocks to apply. */
  readonly advance: () => void
  /** Stops the syncer. Resolves when the current block is applied. */
  readonly stop: () => Promise<void>
}

/**
 * The tolerance of the decision whether a block is recent, in nanoseconds. A block is recent if the next block of the
 * chain is not expected yet, or is overdue by less than the tolerance. A block is not recent if the time in its header
 * is ahead of this node's clock by the tolerance or more.
 */
const RECENT_NS = 30_000_000_000n

/**
 * Returns true if the time of a verified block shows that the block is one of the newest blocks of the chain. The
 * function assumes equal intervals between blocks: the interval between the previous block and this block gives the
 * expected time of the next block. If this expected time is in the future, or has passed by less than
 * {@link RECENT_NS}, this block is one of the newest.
 */
function isRecent(time: Time, lastBlockTime: Time, now: bigint): boolean {
  const age = now - time
  const interval = time - lastBlockTime
  return age > -RECENT_NS && age < interval + RECENT_NS
}

/**
 * Creates the {@link BlockSyncer}, which verifies blocks and stores them. The first block is the next one after
 * `initial`.
 */
export function createBlockSyncer(initial: State, modules: SyncModules): BlockSyncer {
  const { pool, executor, blockStore, monotonic, now, metrics, logger } = modules
  const { signatures = POOLED_SIGNATURES } = modules
  // If `run` throws an error, block sync ends: no further block can be applied.
  const life = createLifecycle({ name: 'block sync', failed: modules.onFailure })
  const { signal } = life
  const checker = createPairChecker({ pool, executor, signatures, chainId: initial.chainId, signal })
  const rate = createSyncRate({ pool, monotonic, logger })
  let state = initial
  let synced = 0
  let isApplying = false

  function save({ first, second }: Pair, parts: VerifiedBlock['parts']): Promise<void> {
    const { block, extCommit } = first
    if (extCommit !== undefined) {
      return blockStore.saveBlockWithExtendedCommit({ block, parts, extendedCommit: extCommit })
    }
    // The successor's `lastCommit` cannot be missing, because `first` was verified by it.
    return blockStore.saveBlock({ block, parts, seenCommit: second.block.lastCommit as Commit })
  }

  async function apply(pair: Pair, { blockId, parts }: VerifiedBlock): Promise<void> {
    const { block } = pair.first
    const steps = { 'save-block': () => save(pair, parts) }
    state = await executor.applyVerifiedBlock({ state, blockId, block, steps })
    synced++
    metrics.applied(block, parts.byteSize)
    modules.onSynced?.(parts.byteSize)
    rate.applied()
  }

  async function applyOne(pair: Pair): Promise<void> {
    let verified: VerifiedBlock
    try {
      // When block sync checks a block, it also checks the last commit in the next block. Only the last commit in the
      // first block that block sync applies was not checked yet, so it must be checked here.
      verified = await checker.check(pair, state, { lastCommitIsVerified: synced > 0 })
    } catch (error) {
      if (signal.aborted) return
      checker.clear()
      logger.error('Error in validation', { height: pair.first.block.header.height, err: describe(error) })
      const bad = isCodedError(error, BLOCKSYNC_FAULTS.lastCommit) ? pair.second : pair.first
      modules.onBadBlock(error as Error, bad.from)
      return
    }
    if (signal.aborted) return
    pool.pop(monotonic(), isRecent(pair.first.block.header.time, state.lastBlockTime, now()))
    modules.onApplied()
    const { nextValidators } = state
    const applied = apply(pair, verified)
    // This verification runs while the writes of `apply` wait for the disk.
    checker.begin(nextValidators)
    await applied
  }

  async function run(): Promise<void> {
    try {
      do {
        for (let pair = pairAt(pool, 0); pair !== undefined && !signal.aborted; pair = pairAt(pool, 0))
          await applyOne(pair)
        // When `run` ends, all applied blocks are durable. The code that starts consensus depends on this.
        await executor.durable()
      } while (!signal.aborted && pairAt(pool, 0) !== undefined)
    } catch (error) {
      await executor.durable().catch(() => undefined)
      throw error
    }
    // No block can arrive between the last check of the pool and this line, because both are in one turn of the event
    // loop. A block that arrives later finds `isApplying` false, and starts the loop again.
    isApplying = false
    if (!signal.aborted) modules.onIdle()
  }

  return {
    state: () => state,
    blocksSynced: () => synced,
    advance: () => {
      if (isApplying || signal.aborted) return
      isApplying = true
      life.run(run)
    },
    stop: life.stop,
  }
}

function describe(error: unknown): string {
  if (isCodedError(error)) return `${error.code}: ${error.message}`
  return messageOf(error)
}
