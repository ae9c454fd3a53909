import type { Logger } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import { shownBytes } from '@org/types/bytes'
import type { ChunkResponse } from '@org/types/messages'
import type { QueuedChunk } from './chunk-table.ts'
import type { RestoreOptions } from './options.ts'
import type { PendingRequests } from './pending-requests.ts'
import type { Session } from './restore-snapshot.ts'
import { ACCEPTED, ignored, type RestoreVerdict, rejected } from './restore-verdict.ts'
import type { SnapshotPool } from './snapshot-pool.ts'

/** Judges the snapshots and chunks that peers send. Keeps the snapshots, and stores the chunks that are wanted. */
export interface SnapshotReceiver {
  readonly addSnapshot: (peer: string, snapshot: Snapshot) => RestoreVerdict
  /**
   * Judges an answer to the request for a chunk. The answer is the chunk, or a message that reports that the peer does
   * not have the chunk.
   */
  readonly addChunk: (peer: string, response: ChunkResponse) => RestoreVerdict
}

export interface SnapshotReceiverModules {
  readonly options: Pick<RestoreOptions, 'maxChunkBytes' | 'maxSnapshotChunks'>
  readonly pool: SnapshotPool
  readonly pending: PendingRequests
  readonly logger: Logger
  /** Returns the attempt that is restoring a snapshot now; `undefined` if there is none. */
  readonly session: () => Session | undefined
  readonly isRunning: () => boolean
  /** Called after each chunk that was stored. */
  readonly report: () => void
}

export function createSnapshotReceiver({
  options,
  pool,
  pending,
  logger,
  session,
  isRunning,
  report,
}: SnapshotReceiverModules): SnapshotReceiver {
  function addSnapshot(peer: string, snapshot: Snapshot): RestoreVerdict {
    if (snapshot.chunks > options.maxSnapshotChunks) {
      pool.rejectPeer(peer)
      return rejected(
        `the snapshot has ${snapshot.chunks} chunks, and at most ${options.maxSnapshotChunks} are allowed`,
      )
    }
    if (!isRunning()) return ignored('state sync does not run')
    const receipt = pool.add(peer, snapshot)
    const { height, format, hash } = snapshot
    if (receipt.type === 'accept')
      logger.info('Discovered new snapshot', { height, format, hash: shownBytes(hash), peer })
    return receipt
  }

  function store(current: Session, chunk: QueuedChunk): RestoreVerdict {
    try {
      if (!current.queue.add(chunk)) return ignored('the chunk was received before')
    } catch (error) {
      current.queue.stop(error as Error)
      return ignored('the chunk could not be stored')
    }
    current.fetcher.received(chunk.index, chunk.sender)
    report()
    return ACCEPTED
  }

  function addChunk(peer: string, response: ChunkResponse): RestoreVerdict {
    const { height, format, index, chunk } = response
    if (!pending.remove(peer, { height, format, index }))
      return rejected('the peer sent a chunk that was not requested from it')
    const current = session()
    const isCurrent = current?.snapshot.height === height && current.snapshot.format === format
    if (!isCurrent || !current.fetcher.isWanted(index, peer)) return ignored('the chunk is no longer needed')
    if (chunk.length > options.maxChunkBytes) {
      current.fetcher.refused(peer, index)
      return rejected(`the chunk has ${chunk.length} bytes, and at most ${options.maxChunkBytes} are allowed`)
    }
    if (chunk.length > 0 && !response.missing) return store(current, { index, chunk, sender: peer })
    pool.withdraw(peer, current.snapshot)
    current.fetcher.refused(peer)
    return ACCEPTED
  }

  return { addSnapshot, addChunk }
}
