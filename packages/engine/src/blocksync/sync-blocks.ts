import type { Logger } from '@org/runtime'
import { createLifecycle, isCodedError, messageOf, nextTurn } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import type { Commit } from '@org/types/block'
import type { State } from '@org/types/state'
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
  /** Returns the time in nanoseconds since 1970. */
  readonly now: () => bigint
  /**
   * Verifies signatures. Default: this thread. If the checker has `help`, this thread also verifies while it waits for
   * the checker.
   */
  readonly signatures?: (Pick<SignatureChecker, 'findInvalid'> & Partial<Pick<SignatureThread, 'help'>>) | undefined
  readonly metrics: BlockSyncMetrics
  readonly logger: Logger
  /** Called when one of the next two blocks is bad. */
  readonly onBadBlock: (reason: Error) => void
  /** Called when the pool has advanced to the next block. */
  readonly onApplied: () => void
  /** Called with the size in bytes of each block that was applied. */
  readonly onSynced?: ((bytes: number) => void) | undefined
  /** Called when no block can be applied now. */
  readonly onIdle: () => void
  /** Called when a good block cannot be applied. */
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
/** The difference between clocks, or the delay of a block, with which the block still counts as recent. */
const RECENT_NS = 30_000_000_000n

/**
 * Creates the part that verifies and stores blocks after the state `initial`. The function is long because it contains
 * the whole way of one block from the pool to the store.
 */
export function createBlockSyncer(initial: State, modules: SyncModules): BlockSyncer {
  const { pool, executor, blockStore, monotonic, now, metrics, logger } = modules
  const signatures: NonNullable<SyncModules['signatures']> = modules.signatures ?? POOLED_SIGNATURES
  // No further block can be applied after a failure.
  const life = createLifecycle({ name: 'block sync', failed: modules.onFailure })
  const { signal } = life
  let state = initial
  let synced = 0
  let isRunning = false
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
   * Verifies a few signatures per turn until `settled` resolves: until then, this node does no other work than to
   * receive messages.
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

  /** Checks everything that a peer could have sent wrong. */
  async function check(pair: Pair): Promise<VerifiedBlock> {
    const { blockSize } = pair.first
    if (blockSize > maxBlockSize(state)) throw longBlock(state, blockSize)
    checkExtension(pair.first)
    const verification = lookAhead.take(pair, state.validators)
    if (signatures.help !== undefined) await helpUntil(verification.outcome)
    const outcome = await verification.outcome
    if (outcome instanceof Error) throw outcome
    // The block before was verified by the last commit in this block, so that commit is good. The first block has no
    // block before it.
    await executor.validateBlock(state, pair.first.block, { lastCommitIsVerified: synced > 0 })
    return outcome
  }

  function save({ first, second }: Pair, parts: VerifiedBlock['parts']): Promise<void> {
    const { block, extCommit } = first
    if (extCommit !== undefined) {
      return blockStore.saveBlockWithExtendedCommit({ block, parts, extendedCommit: extCommit })
    }
    // The commit exists: the block was verified by it.
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
   * Returns whether a verified block with this time is one of the newest blocks of the chain: by the time between the
   * last two blocks, its successor is due now or later.
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
    // Runs while the writes wait for the disk.
    lookAhead.begin(nextValidators)
    await applied
  }

  async function run(): Promise<void> {
    try {
      do {
        for (let pair = pairAt(pool, 0); pair !== undefined && !signal.aborted; pair = pairAt(pool, 0))
          await applyOne(pair)
        // The code that continues from here finds everything on disk.
        await executor.durable()
      } while (!signal.aborted && pairAt(pool, 0) !== undefined)
    } catch (error) {
      await executor.durable().catch(() => undefined)
      throw error
    }
    // Set in the turn in which no block was found, so that a later block starts the loop again.
    isRunning = false
    if (!signal.aborted) modules.onIdle()
  }

  return {
    state: () => state,
    blocksSynced: () => synced,
    advance: () => {
      if (isRunning || signal.aborted) return
      isRunning = true
      life.run(run)
    },
    stop: life.stop,
  }
}

function describe(error: unknown): string {
  if (isCodedError(error)) return `${error.code}: ${error.message}`
  return messageOf(error)
}
