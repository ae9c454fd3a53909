import type { Snapshot } from '@org/types/abci'
import { type ChunkFolder, cleanUp } from './chunk-folder.ts'
import { createChunkQueue } from './chunk-queue.ts'
import { createChunkFetcher } from './fetch-chunks.ts'
import { giveUp } from './give-up.ts'
import type { RestoreOptions } from './options.ts'
import type { PendingRequests } from './pending-requests.ts'
import type { RestoreModules, RestoreProgress } from './ports.ts'
import type { ProofLimits } from './prove.ts'
import { type RestoreOutcome, restoreSnapshot, type Session } from './restore-snapshot.ts'
import { createRetries } from './retries.ts'
import type { SnapshotPool } from './snapshot-pool.ts'

/** The attempts to restore a snapshot, one after the other. */
export interface Attempts {
  /**
   * Tries to restore the snapshot that the pool returns as the best. Resolves to `undefined` if no snapshot is left.
   * After a failed attempt, the snapshot, its format or its peers are rejected, or the snapshot is put aside. So the
   * next call tries another snapshot.
   */
  readonly next: (limits: ProofLimits) => Promise<RestoreOutcome | undefined>
  /** Returns the current attempt; `undefined` if there is none. */
  readonly session: () => Session | undefined
}

export interface AttemptsModules
  extends Pick<RestoreModules, 'app' | 'provider' | 'peers' | 'clock' | 'random' | 'logger'> {
  readonly pool: SnapshotPool
  readonly pending: PendingRequests
  readonly folder: ChunkFolder
  readonly setPhase: (phase: RestoreProgress['phase']) => void
  /** Called after each chunk that was given to the application. */
  readonly onChunk: () => void
}

export function createAttempts(options: RestoreOptions, modules: AttemptsModules): Attempts {
  const { pool, peers, folder, logger } = modules
  let session: Session | undefined

  function rejectPeer(peer: string, reason: string): void {
    logger.info('Snapshot sender rejected', { peer, reason })
    pool.rejectPeer(peer)
    session?.fetcher.refused(peer)
    peers.leave(peer, reason)
  }

  function open(snapshot: Snapshot): Session {
    const { clock } = modules
    const queue = createChunkQueue(snapshot.chunks, options, { folder, clock, onOpen: () => fetcher.fill() })
    const fetcher = createChunkFetcher(snapshot, options, { ...modules, queue })
    return { snapshot, queue, fetcher, retries: createRetries(options) }
  }

  async function attempt(snapshot: Snapshot, limits: ProofLimits): Promise<RestoreOutcome> {
    const opened = open(snapshot)
    const offeredBy = pool.peersOf(snapshot)
    session = opened
    try {
      const outcome = await restoreSnapshot(opened, {
        ...modules,
        limits,
        rejectSender: (peer) => rejectPeer(peer, "the application rejected the peer's chunks"),
      })
      if (outcome.type === 'restored') logger.info('Snapshot restored', { height: snapshot.height })
      else if (outcome.type !== 'format') pool.failed(offeredBy)
      if (outcome.type === 'timeout') {
        for (const peer of opened.fetcher.silent())
          rejectPeer(peer, 'the peer sent no chunk of a snapshot that it offered')
      }
      return outcome
    } finally {
      session = undefined
      opened.queue.stop()
      cleanUp(folder.empty, logger)
    }
  }

  return {
    next: async (limits) => {
      limits.signal.throwIfAborted()
      const snapshot = pool.best()
      if (snapshot === undefined) return undefined
      const outcome = await attempt(snapshot, limits)
      if (outcome.type !== 'restored')
        giveUp(snapshot, outcome, { pool, logger, rejectPeer, maxProofAttempts: options.maxProofAttempts })
      return outcome
    },
    session: () => session,
  }
}
