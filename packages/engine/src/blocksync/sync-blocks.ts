import type { Logger } from '@org/runtime'
import { createLifecycle, isCodedError, messageOf, nextTurn } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import type { Commit, State } from '@org/types'
import type { Time } from '@org/types/time'
import { extensionsEnabled } from '../consensus/machine/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import { POOLED_SIGNATURES, type SignatureChecker, type SignatureThread } from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import { longBlock, maxBlockSize } from './check-block.ts'
import { createLookAhead, type Pair, pairAt } from './look-ahead.ts'
import type { BlockSyncMetrics } from './metrics.ts'
import type { BlockPool, PooledBlock } from './pool/index.ts'
import type { VerifiedBlock } from './verify-block.ts'

export interface SyncModules {
  readonly pool: BlockPool
  readonly executor: Pick<BlockExecutor, 'validateBlock' | 'applyVerifiedBlock' | 'durable'>
  readonly blockStore: Pick<BlockStore, 'saveBlock' | 'saveBlockWithExtendedCommit'>
  readonly monotonic: () => number
  /** Returns the present time in nanoseconds since 1970. */
  readonly now: () => bigint
  /**
   * Verifies signatures. Default: this thread, or the thread pool if libsodium is missing. If the checker has a
   * function `help`, the syncer calls it while it waits for the checker. Then this thread verifies signatures too.
   */
  readonly signatures?: (Pick<SignatureChecker, 'findInvalid'> & Partial<Pick<SignatureThread, 'help'>>) | undefined
  readonly metrics: BlockSyncMetrics
  readonly logger: Logger
  /**
   * Called if one of the next two blocks is bad. One of them is the block that failed, and the other one contains the
   * commit by which the block was verified.
   */
  readonly onBadBlock: (reason: Error) => void
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

const RATE_EVERY = 100
/**
 * The limit, in nanoseconds, for two values: how far the time of a recent block may be in the future, and for how
 * long the next block may be overdue.
 */
const RECENT_NS = 30_000_000_000n

/**
 * Creates the part that verifies blocks and stores them, beginning with the block after the state `initial`. The
 * function is long because it contains the whole way of one block from the pool to the store.
 */
export function createBlockSyncer(initial: State, modules: SyncModules): BlockSyncer {
  const { pool, executor, blockStore, monotonic, now, metrics, logger } = modules
  const signatures: NonNullable<SyncModules['signatures']> = modules.signatures ?? POOLED_SIGNATURES
  // If `run` throws an error, block sync ends: no further block can be applied.
  const life = createLifecycle({ name: 'block sync', failed: modules.onFailure })
  const { signal } = life
  let state = initial
  let synced = 0
  let isApplying = false
  let rateSince = monotonic()
  let rate = 0

  const lookAhead = createLookAhead(pool, () => ({ chainId: state.chainId, findInvalid: signatures.findInvalid }))

  function checkExtension({ block, extCommit }: PooledBlock): void {
    const { height } = block.header
    const enabled = extensionsEnabled(state, height)
    const present = extCommit !== undefined
    if (present === enabled) return
    throw new CodedError(
      'BLOCKSYNC_BAD_BLOCK',
      `non-nil extended commit must be received iff vote extensions are enabled for its height (height ${height}, non-nil extended commit ${present}, extensions enabled ${enabled})`,
    )
  }

  /**
   * Verifies a few signatures in each turn of the event loop, until `settled` settles. Block sync cannot continue
   * before `settled` settles. Without this help, this thread would only receive messages until then.
   */
  async function helpUntil(settled: Promise<unknown>): Promise<void> {
    let isSettled = false
    const onSettled = (): void => {
      isSettled = true
    }
    settled.then(onSettled, onSettled)
    await Promise.resolve()
    while (!isSettled && !signal.aborted && signatures.help?.() === true) await nextTurn()
  }

  /** Checks everything in the block and its commits that the peers could have made invalid. */
  async function check(pair: Pair): Promise<VerifiedBlock> {
    const { blockSize } = pair.first
    if (blockSize > maxBlockSize(state)) throw longBlock(state, blockSize)
    checkExtension(pair.first)
    const verification = lookAhead.take(pair, state.validators)
    if (signatures.help !== undefined) await helpUntil(verification.outcome)
    const outcome = await verification.outcome
    if (outcome instanceof Error) throw outcome
    // The last commit in this block was checked before, when it proved the previous block. Only the last commit in
    // the first block of this run must be checked here.
    await executor.validateBlock(state, pair.first.block, { lastCommitIsVerified: synced > 0 })
    return outcome
  }

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
    if (synced % RATE_EVERY === 0) logRate()
  }

  function logRate(): void {
    const now = monotonic()
    const current = RATE_EVERY / Math.max((now - rateSince) / 1000, 0.001)
    rate = rate === 0 ? current : 0.9 * rate + 0.1 * current
    rateSince = now
    logger.info('Block Sync Rate', {
      height: pool.height(),
      max_peer_height: pool.maxPeerHeight(),
      'blocks/s': Number(rate.toFixed(1)),
    })
  }

  /**
   * Returns true if the time of a verified block shows that it is one of the newest blocks of the chain. There are
   * two conditions. First, this time is less than `RECENT_NS` in the future. Second, the next block is late by less
   * than `RECENT_NS`. The next block is expected after the same interval as between this block and the block before
   * it.
   */
  function isRecent(time: Time): boolean {
    const age = now() - time
    const interval = time - state.lastBlockTime
    return age > -RECENT_NS && age < interval + RECENT_NS
  }

  async function applyOne(pair: Pair): Promise<void> {
    let verified: VerifiedBlock
    try {
      verified = await check(pair)
    } catch (error) {
      if (signal.aborted) return
      lookAhead.clear()
      logger.error('Error in validation', { height: pair.first.block.header.height, err: describe(error) })
      modules.onBadBlock(error as Error)
      return
    }
    if (signal.aborted) return
    pool.pop(monotonic(), isRecent(pair.first.block.header.time))
    modules.onApplied()
    const { nextValidators } = state
    const applied = apply(pair, verified)
    // This verification runs while the writes of `apply` wait for the disk.
    lookAhead.begin(nextValidators)
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
