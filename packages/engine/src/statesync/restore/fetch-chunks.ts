import type { Clock, Logger, Random, Timer } from '@org/runtime'
import type { Snapshot } from '@org/types/abci'
import type { ChunkQueue } from './chunk-queue.ts'
import type { RestoreOptions } from './options.ts'
import type { PendingRequests } from './pending-requests.ts'
import type { SnapshotPeers } from './ports.ts'
import type { SnapshotPool } from './snapshot-pool.ts'

/** Requests the chunks of one snapshot from the peers that offer it, several at a time. */
export interface ChunkFetcher {
  /** Requests further chunks, so that up to `chunkFetchers` requests are pending at the same time. */
  readonly fill: () => void
  /** Returns true if the chunk is still missing and was requested from this peer for this snapshot. */
  readonly isWanted: (index: number, peer: string) => boolean
  /** Records that the peer has sent the chunk. */
  readonly received: (index: number, peer: string) => void
  /**
   * Records that the peer does not send the chunk `index`, and requests this chunk from another peer. Without `index`,
   * does so for all chunks that were requested from the peer; the node then accepts no further chunk from the peer.
   * The caller leaves out `index` if the peer has disconnected, does not have the snapshot, or was rejected.
   */
  readonly refused: (peer: string, index?: number) => void
  /** The number of peers that have sent a chunk. */
  readonly senders: () => number
  /** The peers that did not answer a request in time and have not sent any chunk. */
  readonly silent: () => readonly string[]
}

export interface ChunkFetcherModules {
  readonly queue: ChunkQueue
  readonly pool: SnapshotPool
  readonly peers: SnapshotPeers
  readonly pending: PendingRequests
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

interface Fetch {
  peer: string | undefined
  /**
   * `asked` contains all peers from which the chunk was requested. `tried` contains the peers from which the chunk was
   * requested since `tried` was emptied last. When `tried` contains all peers, it is emptied, and each peer may be
   * asked again.
   */
  readonly asked: Set<string>
  readonly tried: Set<string>
  timer: Timer
}

/**
 * Chooses the peer from which to request a chunk. The candidates are the peers that offer the snapshot and are not in
 * `tried`. If all peers are in `tried`, `tried` is emptied first. One of the candidates with the fewest pending
 * requests is chosen at random.
 */
function choosePeer(
  offering: readonly string[],
  tried: Set<string>,
  { pending, random }: Pick<ChunkFetcherModules, 'pending' | 'random'>,
): string | undefined {
  const untried = offering.filter((peer) => !tried.has(peer))
  if (untried.length === 0) tried.clear()
  const candidates = untried.length > 0 ? untried : offering
  const fewest = candidates.reduce((lowest, peer) => Math.min(lowest, pending.count(peer)), Number.POSITIVE_INFINITY)
  const free = candidates.filter((peer) => pending.count(peer) === fewest)
  return free[random.below(free.length)]
}

/**
 * Creates the fetcher of the chunks of one snapshot. When the queue is stopped, the fetcher stops waiting for chunks.
 */
export function createChunkFetcher(
  snapshot: Snapshot,
  { chunkFetchers, chunkRequestMs }: Pick<RestoreOptions, 'chunkFetchers' | 'chunkRequestMs'>,
  { queue, pool, peers, pending, clock, random, logger }: ChunkFetcherModules,
): ChunkFetcher {
  const { height, format, chunks } = snapshot
  const fetches = new Map<number, Fetch>()
  const senders = new Set<string>()
  const latePeers = new Set<string>()
  let hasAskedAgain = false

  /**
   * Called when no peer offers the snapshot any more. The chain has probably grown, and peers have newer snapshots. So
   * the node asks all peers for their snapshots, before it stops the attempt to restore this snapshot.
   */
  function askAgain(): void {
    if (hasAskedAgain) return
    hasAskedAgain = true
    peers.requestSnapshots()
  }

  function request(index: number, fetch: Fetch): void {
    fetch.timer.cancel()
    fetch.timer = clock.after(chunkRequestMs, () => retry(index, fetch))
    fetch.peer = choosePeer(pool.peersOf(snapshot), fetch.tried, { pending, random })
    if (fetch.peer === undefined) {
      askAgain()
      return
    }
    fetch.tried.add(fetch.peer)
    fetch.asked.add(fetch.peer)
    const message = { height, format, index }
    pending.add(fetch.peer, message)
    logger.debug('Fetching snapshot chunk', { height, format, chunk: index, total: chunks, peer: fetch.peer })
    peers.requestChunk(fetch.peer, message)
  }

  /**
   * Called when a chunk has not arrived in time. Requests the chunk from another peer. If no peer offers the snapshot
   * any more, the node asks all peers for their snapshots (see `askAgain`), and `retry` is called once more after some
   * time. If still no peer offers the snapshot then, the attempt to restore this snapshot is stopped.
   */
  function retry(index: number, fetch: Fetch): void {
    if (fetch.peer !== undefined) latePeers.add(fetch.peer)
    const hadNoPeer = fetch.peer === undefined
    request(index, fetch)
    if (hadNoPeer && fetch.peer === undefined) queue.stop()
  }

  function endFetch(index: number): void {
    fetches.get(index)?.timer.cancel()
    fetches.delete(index)
  }

  function fill(): void {
    while (fetches.size < chunkFetchers) {
      const index = queue.allocate()
      if (index === undefined) return
      const fetch: Fetch = { peer: undefined, asked: new Set(), tried: new Set(), timer: { cancel: () => undefined } }
      fetches.set(index, fetch)
      request(index, fetch)
    }
  }

  queue.signal.addEventListener(
    'abort',
    () => {
      for (const index of [...fetches.keys()]) endFetch(index)
    },
    { once: true },
  )
  return {
    fill,
    isWanted: (index, peer) => fetches.get(index)?.asked.has(peer) === true,
    received: (index, peer) => {
      senders.add(peer)
      endFetch(index)
      fill()
    },
    refused: (peer, index) => {
      for (const [number, fetch] of [...fetches]) {
        if (index === undefined) fetch.asked.delete(peer)
        if (fetch.peer === peer && (index === undefined || index === number)) request(number, fetch)
      }
    },
    senders: () => senders.size,
    silent: () => [...latePeers].filter((peer) => !senders.has(peer)),
  }
}
