import { nextTurn, unlessAborted } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { shownBytes } from '@org/types/bytes'
import { applyChunk, offerSnapshot, verifyApp } from './app-calls.ts'
import type { ChunkQueue } from './chunk-queue.ts'
import type { QueuedChunk } from './chunk-table.ts'
import type { RestoreError } from './errors.ts'
import type { ChunkFetcher } from './fetch-chunks.ts'
import type { Restored, RestoreModules, RestoreProgress } from './ports.ts'
import { type Proof, type ProofLimits, prove, proveChain } from './prove.ts'
import type { Retries } from './retries.ts'
import type { SnapshotPool } from './snapshot-pool.ts'

/** The result of an attempt to restore a snapshot. If state sync as a whole must end, an error is thrown instead. */
export type RestoreOutcome =
  | { readonly type: 'restored'; readonly value: Restored }
  /**
   * The application rejected the snapshot or requested too many retries, the chunks did not arrive in time, or no peer
   * offers the snapshot any more.
   */
  | { readonly type: 'rejected' | 'retries' | 'format' | 'sender' | 'timeout' | 'noPeers' }
  | { readonly type: 'unproven'; readonly reason: string }
  /**
   * The application accepted all chunks. But the app hash or the height that the application then reported is not that
   * of the chain.
   */
  | { readonly type: 'unverified'; readonly error: RestoreError }

export interface Session {
  readonly snapshot: Snapshot
  readonly queue: ChunkQueue
  readonly fetcher: ChunkFetcher
  readonly retries: Retries
}

export interface SessionModules extends Pick<RestoreModules, 'app' | 'provider' | 'logger'> {
  readonly pool: SnapshotPool
  readonly limits: ProofLimits
  /** Rejects a peer because the application rejected it as the sender of chunks. */
  readonly rejectSender: (peer: string) => void
  readonly setPhase: (phase: RestoreProgress['phase']) => void
  /** Called after each chunk that was given to the application. */
  readonly onChunk: () => void
}

type ChunksOutcome = 'done' | 'retrySnapshot' | 'rejected' | 'retries' | 'timeout' | 'noPeers'

/**
 * Gives one chunk to the application. Does what the application's answer requests: fetches chunks again, rejects
 * senders, or gives the chunk to the application again later. Returns `retries` if the application has requested more
 * retries than the limits allow.
 */
async function applyOne(session: Session, chunk: QueuedChunk, modules: SessionModules) {
  const { app, limits, logger, pool } = modules
  const { snapshot, queue, retries } = session
  const answer = await unlessAborted(applyChunk(app, chunk), limits.signal)
  const { height, format, chunks: total } = snapshot
  logger.info('Applied snapshot chunk to ABCI app', { height, format, chunk: chunk.index, total })
  for (const index of answer.refetchChunks) queue.discard(index)
  const rejected = new Set(answer.rejectSenders)
  rejected.delete('')
  const isFromOtherPeers = pool.peersOf(snapshot).some((peer) => rejected.has(peer))
  for (const sender of rejected) modules.rejectSender(sender)
  if (rejected.size > 0) queue.discardFrom(rejected)
  const outcome = answer.outcome()
  if (outcome === 'retry') queue.retry(chunk.index)
  if (outcome === 'rejected' || isFromOtherPeers) return outcome
  if (outcome === 'retrySnapshot') return retries.mayRepeatSnapshot() ? outcome : 'retries'
  const repeated = new Set(answer.refetchChunks.filter((index) => index < total))
  if (outcome === 'retry') repeated.add(chunk.index)
  return retries.mayRepeatChunks(repeated) ? outcome : 'retries'
}

async function applyChunks(session: Session, modules: SessionModules): Promise<ChunksOutcome> {
  for (;;) {
    const next = await unlessAborted(session.queue.next(), modules.limits.signal)
    if (next.type === 'stopped') return 'noPeers'
    if (next.type !== 'chunk') return next.type
    const outcome = await applyOne(session, next.value, modules)
    modules.onChunk()
    if (outcome !== 'accepted' && outcome !== 'retry') return outcome
    // Without this pause, an application in this process that always requests a retry would stop all other work.
    await nextTurn()
  }
}

/**
 * Restores one snapshot. First proves the app hash at the height of the snapshot. Then offers the snapshot to the
 * application. If the application accepts it, proves the state at this height, and gives the chunks to the
 * application.
 */
export async function restoreSnapshot(session: Session, modules: SessionModules): Promise<RestoreOutcome> {
  const { snapshot, queue, fetcher } = session
  const { app, provider, limits, logger, setPhase } = modules
  const { height, format } = snapshot
  setPhase('proving')
  const proof = await prove(limits, (signal) => provider.appHash(height, signal))
  if (!proof.isProven) return { type: 'unproven', reason: proof.reason }
  const appHash = proof.value
  let chain: Proof<Restored> | undefined
  for (;;) {
    logger.info('Offering snapshot to ABCI app', { height, format })
    const offer = await unlessAborted(offerSnapshot(app, snapshot, appHash), limits.signal)
    if (offer !== 'accepted') return { type: offer }
    logger.info('Snapshot accepted, restoring', { height, format })
    setPhase('restoring')
    fetcher.fill()
    // The state and the commit are proven before the first chunk is given to the application. Chunks already arrive
    // during the proof.
    chain ??= await proveChain(limits, provider, { height, appHash })
    if (!chain.isProven) return { type: 'unproven', reason: chain.reason }
    const outcome = await applyChunks(session, modules)
    if (outcome === 'retrySnapshot') {
      queue.retryAll()
      logger.info('Retrying snapshot', { height, format })
      continue
    }
    if (outcome !== 'done') return { type: outcome }
    setPhase('verifying')
    const appVersion = chain.value.state.version.consensus.app
    const error = await unlessAborted(verifyApp(app, { height, appHash, appVersion }), limits.signal)
    if (error !== undefined) return { type: 'unverified', error }
    logger.info('Verified ABCI app', { height, appHash: shownBytes(appHash) })
    return { type: 'restored', value: chain.value }
  }
}
