import { ACCEPT, ignore, reject, type Verdict } from '@org/p2p'
import { type Clock, createDeferred, type Logger, repeat } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import type { State } from '@org/types'
import type { BlockResponse } from '@org/types/messages'
import { nextHeight } from '../consensus/machine/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import {
  createSignatureThread,
  type ExactChecks,
  pacedChecker,
  type SignatureChecker,
  type SignatureThread,
} from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import { pooledBlock, type ReceivedBlockSizes } from './check-block.ts'
import { BLOCKSYNC_FAULTS, DROPPED_PEERS } from './faults.ts'
import type { BlockSyncMetrics } from './metrics.ts'
import type { BlockSyncOptions } from './options.ts'
import { type BlockPool, createBlockPool } from './pool/index.ts'
import { hasWhatConsensusNeeds } from './switch-decision.ts'
import { createBlockSyncer } from './sync-blocks.ts'

export interface SyncRunModules {
  readonly executor: Pick<BlockExecutor, 'validateBlock' | 'applyVerifiedBlock' | 'durable'>
  readonly blockStore: BlockStore
  /** Verifies the signatures of blocks. Default: a separate thread, while block sync runs. */
  readonly signatures?: SignatureChecker | undefined
  /**
   * The budget that all parts of the node share for exact checks of signatures. These checks are slow, and only forged
   * signatures and unusual keys need them. Default: no limit.
   */
  readonly exactChecks?: ExactChecks | undefined
  /**
   * Returns true if the chain cannot continue without this node, for example because only this node is a validator. In
   * that case this node need not wait for peers with higher blocks, because there are no higher blocks.
   */
  readonly isNeeded: (state: State) => boolean
  readonly peers: { readonly stop: (peerId: string, reason: Error) => void }
  /** Called with the size in bytes of each block that was applied. */
  readonly onSynced?: ((bytes: number) => void) | undefined
  /** Requests a block from a peer. */
  readonly send: (peerId: string, height: number) => void
  /** Asks all peers for the heights that they have. */
  readonly askStatus: () => void
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: BlockSyncMetrics
  /** Called once, when the run ends. The promise `finished` settles after this call. */
  readonly onEnd: () => void
}

/** The progress of block sync. */
export interface SyncProgress {
  /** The height of the last block that was applied. */
  readonly height: number
  /**
   * The greatest height that a peer reported. A peer does not count if its lowest block is above the next block to
   * apply. If no peer counts, the value is 0.
   */
  readonly maxPeerHeight: number
  /** The number of peers that reported heights. */
  readonly peers: number
}

/** One run of block sync: requests blocks from peers and applies them, until the node has caught up. */
export interface SyncRun {
  readonly pool: Omit<BlockPool, 'take'>
  /** Begins the run. The ranges of blocks that peers reported may be given to `pool` before. */
  readonly start: () => void
  /**
   * Resolves with the state after the last applied block, or with `undefined` after `stop`. Rejects if a valid block
   * cannot be applied.
   */
  readonly finished: Promise<State | undefined>
  /** Returns the state after the last block that was applied. */
  readonly state: () => State
  readonly progress: () => SyncProgress
  /** Sends the requests of the pool, and applies the blocks that are ready. To be called after a change of the pool. */
  readonly advance: () => void
  /** Gives the pool a block that a peer sent. Throws a coded error for an invalid block. */
  readonly takeBlock: (peerId: string, response: BlockResponse, taken: ReceivedBlockSizes) => Verdict
  /** Ends the run, and resolves when no block is being applied any more. */
  readonly stop: () => Promise<void>
}

const TICK_MS = 100
/** If fewer than this number of blocks are missing, the node asks its peers more often for their heights. */
const NEAR_TIP_BLOCKS = 50

/** Creates a thread that verifies signatures until the signal aborts. */
function threadUntil(signal: AbortSignal): SignatureThread {
  const thread = createSignatureThread()
  signal.addEventListener('abort', thread.stop, { once: true })
  return thread
}

/**
 * Creates a run that begins with the block after `initial`. The function is long because a block, a tick or a failure
 * can end the run, and the end of the run stops all of its parts.
 */
export function createSyncRun(initial: State, options: BlockSyncOptions, modules: SyncRunModules): SyncRun {
  const { blockStore, clock, logger, metrics } = modules
  const pool = createBlockPool(options.pool, nextHeight(initial))
  /** Aborts when the run is over. Then the timer and the signature thread of the run end. */
  const over = new AbortController()
  const { signal } = over
  const checker = modules.signatures ?? threadUntil(signal)
  const finish = createDeferred<State | undefined>()
  const startedAt = clock.monotonic()
  const hadExtendedCommit =
    initial.lastBlockHeight > 0 && blockStore.loadExtendedCommit(initial.lastBlockHeight) !== undefined
  const syncer = createBlockSyncer(initial, {
    ...modules,
    signatures: { ...checker, ...pacedChecker(checker, modules.exactChecks) },
    pool,
    monotonic: clock.monotonic,
    now: clock.now,
    onApplied: act,
    onIdle: finishIfDone,
    onFailure: (error) => end(() => finish.reject(error)),
    onBadBlock: (reason, sender) => {
      pool.ban(sender, clock.monotonic())
      modules.peers.stop(sender, reason)
      act()
    },
  })
  let statusAt = startedAt

  function act(): void {
    for (const effect of pool.effects()) {
      if (effect.type === 'request') modules.send(effect.peerId, effect.height)
      else {
        const { code, reason } = DROPPED_PEERS[effect.fault]
        modules.peers.stop(effect.peerId, new CodedError(code, reason))
      }
    }
  }

  function advance(): void {
    act()
    syncer.advance()
  }

  function end(settle: () => void): void {
    if (signal.aborted) return
    over.abort()
    modules.onEnd()
    metrics.syncing(false)
    settle()
  }

  function finishIfDone(): void {
    const state = syncer.state()
    if (signal.aborted || clock.monotonic() - startedAt < options.firstCheckMs) return
    if (!pool.isCaughtUp() && !modules.isNeeded(state)) return
    if (!hasWhatConsensusNeeds({ state, blocksSynced: syncer.blocksSynced(), hadExtendedCommit })) {
      logger.debug('no extended commit yet', { height: pool.height(), last_block_height: state.lastBlockHeight })
      return
    }
    logger.info('Time to switch to consensus reactor!', { height: pool.height() })
    end(() => finish.resolve(state))
  }

  function tick(): void {
    const now = clock.monotonic()
    const interval = pool.maxPeerHeight() - pool.height() < NEAR_TIP_BLOCKS ? options.nearStatusMs : options.statusMs
    if (now - statusAt >= interval) {
      statusAt = now
      modules.askStatus()
    }
    pool.tick(now)
    advance()
  }

  function takeBlock(peerId: string, { block, extCommit }: BlockResponse, taken: ReceivedBlockSizes): Verdict {
    if (block === undefined) return reject(BLOCKSYNC_FAULTS.invalid, 'the block response contains no block')
    const received = { block, extCommit, ...taken, from: peerId }
    const pooled = pooledBlock(received, syncer.state(), options.pool.maxBytes)
    const result = pool.addBlock(pooled, clock.monotonic())
    if (result === 'unrequested')
      return reject(BLOCKSYNC_FAULTS.unsolicited, `peer sent us block #${block.header.height} we didn't expect`)
    advance()
    if (result === 'noRoom') return ignore(BLOCKSYNC_FAULTS.noRoom, 'there is no free memory for the block yet')
    return result === 'added' ? ACCEPT : ignore(BLOCKSYNC_FAULTS.notNeeded, 'another peer sent the block first')
  }

  return {
    pool,
    start: () => {
      metrics.syncing(true)
      modules.askStatus()
      repeat(clock, { everyMs: TICK_MS, run: tick, signal })
      tick()
    },
    finished: finish.promise,
    state: syncer.state,
    progress: () => ({
      height: syncer.state().lastBlockHeight,
      maxPeerHeight: pool.maxPeerHeight(),
      peers: pool.peerCount(),
    }),
    advance,
    takeBlock,
    stop: () => {
      end(() => finish.resolve(undefined))
      return syncer.stop()
    },
  }
}
