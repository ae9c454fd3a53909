import { ACCEPT, ignore, reject, type Verdict } from '@org/p2p'
import type { Clock, Held, Logger, Sizes, Timer } from '@org/runtime'
import type { State } from '@org/types'
import type { BlockResponse } from '@org/types/messages'
import { nextHeight } from '../consensus/machine/index.ts'
import type { BlockExecutor } from '../execution/index.ts'
import {
  createSignatureThread,
  type ExactChecks,
  POOLED_SIGNATURES,
  pacedChecker,
  type SignatureChecker,
  type SignatureThread,
} from '../signatures/index.ts'
import type { BlockStore } from '../store/index.ts'
import { checkBlock, checkExtendedCommit, longBlock, maxBlockSize } from './check-block.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import type { BlockSyncMetrics } from './metrics.ts'
import { type BlockSyncOptions, LATE_ANSWERS_MS } from './options.ts'
import { type BlockPool, createBlockPool } from './pool/index.ts'
import { hasWhatConsensusNeeds } from './switch-decision.ts'
import { type BlockSyncer, createBlockSyncer } from './sync-blocks.ts'

export interface CatchUpModules {
  readonly executor: Pick<BlockExecutor, 'validateBlock' | 'applyVerifiedBlock' | 'durable'>
  readonly blockStore: BlockStore
  /** Verifies the signatures of blocks. Default: a separate thread, while block sync runs. */
  readonly signatures?: SignatureChecker | undefined
  /**
   * The whole node's budget for exact checks of signatures. These checks are slow, and only forged signatures and
   * unusual keys need them. Default: no limit.
   */
  readonly exactChecks?: ExactChecks | undefined
  /** Returns whether the chain cannot continue without this node. In that case no peer can be ahead of this node. */
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
}

type Range = { readonly base: number; readonly height: number }

/** The sizes of a received message that contains a block, and of this block. */
export interface Taken {
  /**
   * `size` is the number of bytes of the message on the wire, and `blockSize` the number of bytes of the block in the
   * message.
   */
  readonly size: number
  readonly blockSize: number
  /** The approximate size of the decoded message in memory, in bytes. */
  readonly heap: number
  readonly items: number
}

/** The progress of block sync. */
export interface SyncProgress {
  /** The height of the last block that was applied. */
  readonly height: number
  /**
   * The greatest height that a peer reported, or 0. A peer whose lowest block is above the next block to apply does not
   * count.
   */
  readonly maxPeerHeight: number
  /** The number of peers that reported heights. */
  readonly peers: number
}

/**
 * Runs block sync. Before the run, this object records the range of blocks that each peer reports. After the run, it
 * records which peers may still send late answers.
 */
export interface CatchUp {
  /** `idle`: the run has not begun. `done`: the run is over, but for some time peers may still answer its requests. */
  readonly phase: () => 'idle' | 'syncing' | 'done'
  readonly run: (state: State) => Promise<State | undefined>
  /** The state after the last block that was applied; `undefined` while no run is in progress. */
  readonly state: () => State | undefined
  readonly stop: () => Promise<void>
  readonly isAsked: (peerId: string) => boolean
  /** Returns whether the peer may send a block: a request to it is pending, or was pending when the run ended. */
  readonly mayAnswer: (peerId: string) => boolean
  /** Gives the pool a block that a peer sent. Throws a coded error for an invalid block. */
  readonly takeBlock: (peerId: string, response: BlockResponse, taken: Taken) => Verdict
  readonly setRange: (peerId: string, range: Range) => void
  readonly decline: (peerId: string, height: number) => void
  readonly removePeer: (peerId: string) => void
  readonly sizes: () => Sizes
  /** Returns the progress of the run; `undefined` while no run is in progress. */
  readonly progress: () => SyncProgress | undefined
  /** How many blocks of this peer wait to be applied, and how much memory they take. */
  readonly heldFor: (peerId: string) => Held
}

interface Run {
  readonly pool: BlockPool
  readonly thread: SignatureThread | undefined
  readonly syncer: BlockSyncer
  readonly finish: PromiseWithResolvers<State | undefined>
  readonly startedAt: number
  readonly hadExtendedCommit: boolean
  statusAt: number
  timer: Timer | undefined
}

const progressOf = ({ pool, syncer }: Run): SyncProgress => ({
  height: syncer.state().lastBlockHeight,
  maxPeerHeight: pool.maxPeerHeight(),
  peers: pool.peerCount(),
})

const TICK_MS = 100
/** If fewer than this number of blocks are missing, the node asks its peers more often for their heights. */
const NEAR = 50

/**
 * Creates the runs of block sync. The function is long because it contains the beginning, the course and the end of one
 * run.
 */
export function createCatchUp(options: BlockSyncOptions, modules: CatchUpModules): CatchUp {
  const { blockStore, clock, logger, metrics } = modules
  /** The range of blocks that each peer reported before the run. */
  const ranges = new Map<string, Range>()
  let phase: 'idle' | 'syncing' | 'done' = 'idle'
  let current: Run | undefined
  /**
   * The peers that had not answered a request when the run ended, and the time until which the node accepts their
   * answers.
   */
  let late: { readonly peers: Set<string>; readonly until: number } | undefined

  function act({ pool }: Run): void {
    for (const effect of pool.effects()) {
      if (effect.type === 'request') modules.send(effect.peerId, effect.height)
      else modules.peers.stop(effect.peerId, new Error(effect.reason))
    }
  }

  function advance(run: Run): void {
    act(run)
    run.syncer.advance()
  }

  function end(run: Run, settle: () => void): void {
    if (phase !== 'syncing') return
    phase = 'done'
    late = { peers: new Set(run.pool.askedPeers()), until: clock.monotonic() + LATE_ANSWERS_MS }
    current = undefined
    run.timer?.cancel()
    run.thread?.stop()
    metrics.syncing(false)
    settle()
  }

  function finishIfDone(run: Run): void {
    const { pool, syncer, startedAt, hadExtendedCommit } = run
    const state = syncer.state()
    if (phase !== 'syncing' || clock.monotonic() - startedAt < options.firstCheckMs) return
    if (!pool.isCaughtUp() && !modules.isNeeded(state)) return
    if (!hasWhatConsensusNeeds({ state, blocksSynced: syncer.blocksSynced(), hadExtendedCommit })) {
      logger.debug('no extended commit yet', { height: pool.height(), last_block_height: state.lastBlockHeight })
      return
    }
    logger.info('Time to switch to consensus reactor!', { height: pool.height() })
    end(run, () => run.finish.resolve(state))
  }

  function tick(run: Run): void {
    run.timer = clock.after(TICK_MS, () => tick(run))
    const now = clock.monotonic()
    const { pool } = run
    const interval = pool.maxPeerHeight() - pool.height() < NEAR ? options.nearStatusMs : options.statusMs
    if (now - run.statusAt >= interval) {
      run.statusAt = now
      modules.askStatus()
    }
    pool.tick(now)
    advance(run)
  }

  function begin(state: State): Promise<State | undefined> {
    const pool = createBlockPool(options.pool, nextHeight(state))
    const now = clock.monotonic()
    const thread = modules.signatures === undefined ? createSignatureThread() : undefined
    const checker = thread ?? modules.signatures ?? POOLED_SIGNATURES
    const run: Run = {
      pool,
      thread,
      syncer: createBlockSyncer(state, {
        ...modules,
        signatures: { ...checker, ...pacedChecker(checker, modules.exactChecks) },
        pool,
        monotonic: clock.monotonic,
        now: clock.now,
        onApplied: () => act(run),
        onIdle: () => finishIfDone(run),
        onFailure: (error) => end(run, () => run.finish.reject(error)),
        onBadBlock: (reason) => {
          for (const id of pool.refuse(clock.monotonic())) modules.peers.stop(id, reason)
          act(run)
        },
      }),
      finish: Promise.withResolvers(),
      startedAt: now,
      hadExtendedCommit:
        state.lastBlockHeight > 0 && blockStore.loadExtendedCommit(state.lastBlockHeight) !== undefined,
      statusAt: now,
      timer: undefined,
    }
    phase = 'syncing'
    current = run
    metrics.syncing(true)
    for (const [id, range] of ranges) pool.setRange(id, range, now)
    ranges.clear()
    modules.askStatus()
    tick(run)
    return run.finish.promise
  }

  function takeBlock(peerId: string, { block, extCommit }: BlockResponse, taken: Taken): Verdict {
    const run = current
    if (run === undefined) return ignore(BLOCKSYNC_FAULTS.notNeeded, 'the block is no longer needed')
    if (block === undefined) return reject(BLOCKSYNC_FAULTS.invalid, 'the block response contains no block')
    checkBlock(block, taken.items)
    const state = run.syncer.state()
    const isLong = taken.blockSize > maxBlockSize(state)
    if (isLong && block.header.height <= nextHeight(state)) throw longBlock(state, taken.blockSize)
    if (extCommit !== undefined) checkExtendedCommit(extCommit, block.header.height)
    // The block may be longer than the present parameters allow, because the parameters may still change before the
    // height of the block. The pool counts the memory of a block as `heap`. For a long block, `heap` is set above the
    // maximum for the whole pool. So the pool keeps a long block only if it is one of the next two blocks.
    const heap = isLong ? Math.max(taken.heap, options.pool.maxBytes + 1) : taken.heap
    const pooled = { block, extCommit, size: taken.size, blockSize: taken.blockSize, heap, from: peerId }
    const taking = run.pool.take(pooled, clock.monotonic())
    if (taking === 'unasked')
      return reject(BLOCKSYNC_FAULTS.unsolicited, `peer sent us block #${block.header.height} we didn't expect`)
    advance(run)
    if (taking === 'postponed') return ignore(BLOCKSYNC_FAULTS.noRoom, 'there is no free memory for the block yet')
    return taking === 'taken' ? ACCEPT : ignore(BLOCKSYNC_FAULTS.notNeeded, 'another peer sent the block first')
  }

  return {
    phase: () => phase,
    run: begin,
    state: () => current?.syncer.state(),
    stop: async () => {
      const run = current
      if (run === undefined) return
      end(run, () => run.finish.resolve(undefined))
      await run.syncer.stop()
    },
    isAsked: (peerId) => current?.pool.isAsked(peerId) ?? false,
    mayAnswer: (peerId) => {
      if (current !== undefined) return current.pool.isAsked(peerId)
      if (late !== undefined && late.until <= clock.monotonic()) late = undefined
      return late?.peers.has(peerId) ?? false
    },
    takeBlock,
    setRange: (peerId, range) => {
      if (phase === 'idle') ranges.set(peerId, range)
      if (current === undefined) return
      current.pool.setRange(peerId, range, clock.monotonic())
      advance(current)
    },
    decline: (peerId, height) => {
      if (current === undefined) return
      current.pool.decline(peerId, height, clock.monotonic())
      advance(current)
    },
    sizes: () => ({ ranges: ranges.size, known: current?.pool.peerCount() ?? 0, blocks: current?.pool.size() ?? 0 }),
    progress: () => current && progressOf(current),
    heldFor: (peerId) => current?.pool.heldFor(peerId) ?? { items: 0, bytes: 0 },
    removePeer: (peerId) => {
      ranges.delete(peerId)
      late?.peers.delete(peerId)
      if (current === undefined) return
      current.pool.removePeer(peerId, clock.monotonic())
      advance(current)
    },
  }
}
