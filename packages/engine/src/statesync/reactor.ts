import { ACCEPT, ignore, type Peer, type Reactor, reject, type Verdict } from '@org/p2p'
import type { Logger } from '@org/runtime'
import type {
  RequestLoadSnapshotChunk,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  Snapshot,
} from '@org/types/abci'
import { type ChunkRequest, Message } from '@org/types/statesync'
import {
  MAX_QUEUED_REQUESTS,
  MAX_REQUEST_MESSAGE,
  RECENT_SNAPSHOTS,
  SEND_QUEUE_CAPACITY,
  STATESYNC_CHANNELS,
} from './options.ts'

export interface StateSyncModules {
  /** The application's snapshot connection. */
  readonly app: {
    readonly listSnapshots: (request: Record<string, never>) => Promise<ResponseListSnapshots>
    readonly loadSnapshotChunk: (request: RequestLoadSnapshotChunk) => Promise<ResponseLoadSnapshotChunk>
  }
  readonly logger: Logger
}

type Sum = NonNullable<Message['sum']>

const encode = (sum: Sum): Uint8Array => Message.encode({ sum })

/** Returns why a peer may not send this message, or `undefined`. */
function faultOf(sum: Sum): string | undefined {
  switch (sum.case) {
    case 'chunkRequest':
      return sum.value.height === 0 ? 'height cannot be 0' : undefined
    case 'chunkResponse': {
      if (sum.value.height === 0) return 'height cannot be 0'
      return sum.value.missing && sum.value.chunk.length > 0 ? 'missing chunk cannot have contents' : undefined
    }
    case 'snapshotsResponse': {
      const { height, hash, chunks } = sum.value
      if (height === 0) return 'height cannot be 0'
      if (hash.length === 0) return 'snapshot has no hash'
      return chunks === 0 ? 'snapshot has no chunks' : undefined
    }
    case 'snapshotsRequest':
      return undefined
  }
}

const newestFirst = (a: Snapshot, b: Snapshot): number => b.height - a.height || b.format - a.format

/** Serves the application's snapshots to peers that begin with one. */
export function createStateSync({ app, logger }: StateSyncModules): Reactor {
  /** The requests of each peer, which run one after the other. */
  const lanes = new Map<string, { queued: number; last: Promise<void> }>()

  async function sendSnapshots(peer: Peer): Promise<void> {
    const { snapshots } = await app.listSnapshots({})
    for (const snapshot of [...snapshots].sort(newestFirst).slice(0, RECENT_SNAPSHOTS)) {
      const { height, format, chunks, hash, metadata } = snapshot
      const value = { height, format, chunks, hash, metadata }
      await peer.send(STATESYNC_CHANNELS.snapshot, encode({ case: 'snapshotsResponse', value }))
    }
  }

  async function sendChunk(peer: Peer, { height, format, index }: ChunkRequest): Promise<void> {
    const { chunk } = await app.loadSnapshotChunk({ height, format, chunk: index })
    const value = { height, format, index, chunk, missing: chunk.length === 0 }
    await peer.send(STATESYNC_CHANNELS.chunk, encode({ case: 'chunkResponse', value }))
  }

  /** The work begins when earlier requests of the peer are done. */
  function enqueue(peer: Peer, work: () => Promise<void>): Verdict {
    const lane = lanes.get(peer.id)
    if (lane === undefined) return ignore('the peer disconnected')
    if (lane.queued >= MAX_QUEUED_REQUESTS) return ignore('too many requests of the peer are pending')
    lane.queued++
    lane.last = lane.last
      .then(() => (lanes.get(peer.id) === lane ? work() : undefined))
      .catch((error: Error) =>
        logger.error('Failed to send a snapshot to a peer', { peer: peer.id, err: error.message }),
      )
      .finally(() => {
        lane.queued--
      })
    return ACCEPT
  }

  function receive(peer: Peer, bytes: Uint8Array): Verdict {
    const { sum } = Message.decode(bytes)
    if (sum === undefined) return reject('a state sync message of an unknown kind')
    const fault = faultOf(sum)
    if (fault !== undefined) return reject(fault)
    if (sum.case === 'snapshotsRequest') return enqueue(peer, () => sendSnapshots(peer))
    if (sum.case === 'chunkRequest') return enqueue(peer, () => sendChunk(peer, sum.value))
    return ignore('this node does not run state sync')
  }

  return {
    name: 'statesync',
    channels: [
      {
        id: STATESYNC_CHANNELS.snapshot,
        priority: 5,
        sendQueueCapacity: SEND_QUEUE_CAPACITY.snapshot,
        receiveMessageCapacity: MAX_REQUEST_MESSAGE,
      },
      {
        id: STATESYNC_CHANNELS.chunk,
        priority: 3,
        sendQueueCapacity: SEND_QUEUE_CAPACITY.chunk,
        receiveMessageCapacity: MAX_REQUEST_MESSAGE,
      },
    ],
    addPeer: (peer) => void lanes.set(peer.id, { queued: 0, last: Promise.resolve() }),
    removePeer: ({ id }) => void lanes.delete(id),
    sizes: () => ({
      peers: lanes.size,
      // The requests of the peer with the most requests.
      requests: Math.max(0, ...[...lanes.values()].map(({ queued }) => queued)),
    }),
    receive: (peer, _channel, bytes) => {
      try {
        return receive(peer, bytes)
      } catch (error) {
        return reject((error as Error).message)
      }
    },
  }
}
