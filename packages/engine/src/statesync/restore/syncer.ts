import { messageOf } from '@org/runtime'
import { createAttempts } from './attempts.ts'
import { cleanUp, createChunkFolder } from './chunk-folder.ts'
import { RESTORE_ERRORS, RestoreError } from './errors.ts'
import type { RestoreOptions } from './options.ts'
import { createPendingRequests } from './pending-requests.ts'
import type { Restored, RestoreModules, RestoreProgress } from './ports.ts'
import { createProgressMetrics } from './progress-metrics.ts'
import type { ProofLimits } from './prove.ts'
import { restoredBefore } from './restored-before.ts'
import { createSnapshotPool } from './snapshot-pool.ts'
import { createSnapshotReceiver, type SnapshotReceiver } from './snapshot-receiver.ts'
import { waitForSnapshots } from './wait-for-snapshots.ts'

/**
 * State sync: finds a snapshot among those that peers offer, and restores it into the application. Only one call of
 * `run` may be active. The other methods take the messages of peers, and report the progress.
 */
export interface Syncer extends SnapshotReceiver {
  /**
   * Resolves with the state and the commit that the node begins with. Rejects with a `RestoreError`, or with the
   * signal's reason. The folder of chunks is removed in each case.
   */
  readonly run: (signal: AbortSignal) => Promise<Restored>
  readonly removePeer: (peer: string) => void
  /**
   * Returns true if a chunk was requested from the peer and has not arrived. Only from such a peer does the node accept
   * a long message.
   */
  readonly isAsked: (peer: string) => boolean
  readonly progress: () => RestoreProgress
}

/**
 * If the application has restored a snapshot that is not of this chain, the node asks its peers for other snapshots. It
 * does so at most this number of times.
 */
const DISCOVERIES_AFTER_FALSE = 3

const ADD_PEERS =
  'add peers that keep snapshots to p2p.persistent_peers, or set statesync.enable to false to begin with the first block'

function noSnapshots(): RestoreError {
  const message = `no peer offers a snapshot that can be used: ${ADD_PEERS}, or set statesync.discovery_time to 15s`
  return new RestoreError(RESTORE_ERRORS.noSnapshots, message)
}

/**
 * Creates the state sync of a node. The function is long because it contains the course of state sync, from the first
 * header to the restored state. Each attempt to restore a snapshot is in another file.
 */
export function createSyncer(options: RestoreOptions, modules: RestoreModules): Syncer {
  const { app, provider, peers, files, clock, logger, metrics, onProgress } = modules
  const pool = createSnapshotPool(options.pool)
  const pending = createPendingRequests(Math.max(64, 4 * options.chunkFetchers))
  const folder = createChunkFolder(modules.folder, files)
  const attempts = createAttempts(options, { ...modules, pool, pending, folder, setPhase, onChunk: report })
  const syncing = metrics.gauge({
    name: 'statesync_syncing',
    help: 'Whether or not a node is state syncing. 1 if yes, 0 if no.',
  })
  const recordProgress = createProgressMetrics(metrics)
  let phase: RestoreProgress['phase'] = 'trusting'
  let isRunning = false

  function progress(): RestoreProgress {
    const session = attempts.session()
    if (session === undefined) return { phase, snapshot: undefined, applied: 0, received: 0, senders: 0, peers: 0 }
    const { snapshot, queue, fetcher } = session
    const { taken, received } = queue.counts()
    const senders = fetcher.senders()
    return { phase, snapshot, applied: taken, received, senders, peers: pool.peersOf(snapshot).length }
  }

  function report(): void {
    const now = progress()
    recordProgress(now)
    onProgress?.(now)
  }

  function setPhase(next: RestoreProgress['phase']): void {
    phase = next
    report()
  }

  async function discover(signal: AbortSignal): Promise<void> {
    setPhase('discovering')
    logger.info('Discovering snapshots', { milliseconds: options.discoveryMs })
    peers.requestSnapshots()
    await waitForSnapshots(options.discoveryMs, { pool, peers, clock }, signal)
    pool.resume()
  }

  /**
   * Called after the application has restored a snapshot that is not of this chain. The application may accept
   * another snapshot, which replaces the wrong one. If the application refuses all other snapshots, or if no other
   * snapshot comes, an operator must reset the application's data.
   */
  async function afterFalse(error: RestoreError, limits: ProofLimits): Promise<Restored> {
    let discoveries = options.discoveryMs > 0 ? DISCOVERIES_AFTER_FALSE : 0
    for (;;) {
      const outcome = await attempts.next(limits).catch((cause: unknown) => {
        limits.signal.throwIfAborted()
        logger.error('Failed to replace the restored snapshot with one of this chain', { err: messageOf(cause) })
        throw error
      })
      if (outcome?.type === 'restored') return outcome.value
      if (outcome !== undefined) continue
      if (discoveries-- === 0) throw error
      await discover(limits.signal)
    }
  }

  async function syncAny(signal: AbortSignal): Promise<Restored> {
    const limits = { clock, proofMs: options.proofMs, signal }
    report()
    await provider.begin?.(signal)
    const before = await restoredBefore({ app, provider, logger, limits })
    if (before !== undefined) return before
    if (options.discoveryMs > 0) await discover(signal)
    for (;;) {
      const outcome = await attempts.next(limits)
      if (outcome?.type === 'restored') return outcome.value
      if (outcome?.type === 'unverified') return afterFalse(outcome.error, limits)
      if (outcome !== undefined) continue
      if (options.discoveryMs === 0) throw noSnapshots()
      const fields = { code: RESTORE_ERRORS.noSnapshots, advice: ADD_PEERS }
      logger.warn('No peer offers a snapshot that can be used yet; the node will ask again', fields)
      await discover(signal)
    }
  }

  async function run(signal: AbortSignal): Promise<Restored> {
    if (isRunning) {
      throw new RestoreError(RESTORE_ERRORS.running, 'state sync is running already: wait for its end')
    }
    isRunning = true
    syncing.set(1)
    try {
      folder.open()
      const restored = await syncAny(signal)
      setPhase('restored')
      return restored
    } finally {
      isRunning = false
      syncing.set(0)
      cleanUp(folder.close, logger)
    }
  }

  return {
    run,
    ...createSnapshotReceiver({
      options,
      pool,
      pending,
      logger,
      session: attempts.session,
      isRunning: () => isRunning,
      report,
    }),
    removePeer: (peer) => {
      pool.removePeer(peer)
      pending.removePeer(peer)
      attempts.session()?.fetcher.refused(peer)
    },
    isAsked: (peer) => pending.count(peer) > 0,
    progress,
  }
}
