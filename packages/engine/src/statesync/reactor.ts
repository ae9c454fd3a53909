import {
  ACCEPT,
  defineProtocol,
  ignore,
  kindLabels,
  type Peer,
  type Protocol,
  type Reactor,
  reject,
  type Verdict,
} from '@org/p2p'
import type { Clock, Logger } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import type {
  RequestLoadSnapshotChunk,
  ResponseListSnapshots,
  ResponseLoadSnapshotChunk,
  Snapshot,
} from '@org/types/abci'
import { type ChunkRequest, StateSyncMessage } from '@org/types/messages'
import {
  MAX_CHUNK_MESSAGE,
  MAX_QUEUED_REQUESTS,
  MAX_REQUEST_MESSAGE,
  MAX_SNAPSHOT_MESSAGE,
  RECENT_SNAPSHOTS,
  SEND_QUEUE_CAPACITY,
  SHORT_ANSWER_PAUSE_MS,
  STATESYNC_CHANNELS,
} from './options.ts'
import type { RestoreVerdict, Syncer } from './restore/index.ts'

export interface StateSyncModules {
  /**
   * The application's connection for snapshots. It is `undefined` while this node restores a snapshot itself. The
   * application is then only half restored, so the node must not send the application's snapshots to peers.
   */
  readonly app: SnapshotApp | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** Takes the snapshots and chunks that peers send. `undefined` if this node does not run state sync. */
  readonly joining?: Joining
  /** Called with the size in bytes of each chunk that was sent to a peer, or accepted from a peer. */
  readonly onTransfer?: (bytes: number) => void
}

export interface SnapshotApp {
  readonly listSnapshots: (request: Record<string, never>) => Promise<ResponseListSnapshots>
  readonly loadSnapshotChunk: (request: RequestLoadSnapshotChunk) => Promise<ResponseLoadSnapshotChunk>
}

/** The methods of a {@link Syncer} that take messages of peers, and report what a peer may send. */
export type Joining = Pick<Syncer, 'addSnapshot' | 'addChunk' | 'removePeer' | 'isAsked'>

type Sum = NonNullable<StateSyncMessage['sum']>

/** The codes of verdicts on messages of state sync. */
export const STATESYNC_FAULTS = {
  invalid: 'STATESYNC_INVALID_MESSAGE',
  tooManyRequests: 'STATESYNC_TOO_MANY_REQUESTS',
  notSyncing: 'STATESYNC_NOT_SYNCING',
  notServing: 'STATESYNC_NOT_SERVING',
  /** A snapshot or a chunk that this node does not accept. The reason in the verdict says why. */
  notWanted: 'STATESYNC_NOT_WANTED',
} as const

const encode = (sum: Sum): Uint8Array => StateSyncMessage.encode({ sum })

/** The encoded request by which the node asks a peer for its snapshots. */
export const SNAPSHOTS_REQUEST: Uint8Array = encode({ case: 'snapshotsRequest', value: {} })

export const chunkRequest = (value: ChunkRequest): Uint8Array => encode({ case: 'chunkRequest', value })

/** Returns the fault if the contents of the message are not allowed, otherwise `undefined`. */
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

function decode(bytes: Uint8Array): Sum | undefined {
  const { sum } = StateSyncMessage.decode(bytes)
  const fault = sum === undefined ? undefined : faultOf(sum)
  if (fault !== undefined) throw new CodedError(STATESYNC_FAULTS.invalid, fault)
  return sum
}

const newestFirst = (a: Snapshot, b: Snapshot): number => b.height - a.height || b.format - a.format

/** The requests of one peer. The node works on them one after the other. */
interface Requests {
  readonly peer: Peer
  /** Aborted when the peer has disconnected. */
  readonly disconnected: AbortController
  queued: number
  last: Promise<void>
}

function verdictOf(receipt: RestoreVerdict): Verdict {
  if (receipt.type === 'accept') return ACCEPT
  return (receipt.type === 'reject' ? reject : ignore)(STATESYNC_FAULTS.notWanted, receipt.reason)
}

/**
 * Creates the reactor of state sync. It sends the application's snapshots to peers that request them. While this node
 * restores a snapshot itself, `joining` receives the snapshots and chunks that peers send.
 */
export function createStateSync({ app, clock, logger, joining, onTransfer }: StateSyncModules): Reactor {
  async function sendSnapshots({ listSnapshots }: SnapshotApp, peer: Peer): Promise<number> {
    const { snapshots } = await listSnapshots({})
    for (const snapshot of [...snapshots].sort(newestFirst).slice(0, RECENT_SNAPSHOTS)) {
      const { height, format, chunks, hash, metadata } = snapshot
      const value = { height, format, chunks, hash, metadata }
      await peer.send(STATESYNC_CHANNELS.snapshot, encode({ case: 'snapshotsResponse', value }))
    }
    return SHORT_ANSWER_PAUSE_MS
  }

  async function sendChunk(
    { loadSnapshotChunk }: SnapshotApp,
    peer: Peer,
    { height, format, index }: ChunkRequest,
  ): Promise<number> {
    const { chunk } = await loadSnapshotChunk({ height, format, chunk: index })
    const value = { height, format, index, chunk, missing: chunk.length === 0 }
    onTransfer?.(chunk.length)
    await peer.send(STATESYNC_CHANNELS.chunk, encode({ case: 'chunkResponse', value }))
    return value.missing ? SHORT_ANSWER_PAUSE_MS : 0
  }

  /**
   * Accepts a request of a peer. The work for it begins when the work for earlier requests of this peer has ended. The
   * work returns the pause before the next request, in milliseconds.
   */
  function enqueue(requests: Requests, work: (from: SnapshotApp) => Promise<number>): Verdict {
    const { peer, disconnected } = requests
    if (app === undefined) return ignore(STATESYNC_FAULTS.notServing, 'this node restores a snapshot itself')
    if (requests.queued >= MAX_QUEUED_REQUESTS)
      return ignore(STATESYNC_FAULTS.tooManyRequests, 'too many requests of the peer are pending')
    requests.queued++
    requests.last = requests.last
      .then(() => (disconnected.signal.aborted ? 0 : work(app)))
      .catch((error: Error) => {
        logger.error('Failed to send a snapshot to a peer', { peer: peer.id, err: error.message })
        return SHORT_ANSWER_PAUSE_MS
      })
      .then((pauseMs) => (pauseMs === 0 ? undefined : clock.sleep(pauseMs, disconnected.signal)))
      .catch(() => undefined)
      .finally(() => {
        requests.queued--
      })
    return ACCEPT
  }

  const notSyncing = (): Verdict => ignore(STATESYNC_FAULTS.notSyncing, 'this node does not run state sync')

  const protocol: Protocol<Requests> = defineProtocol<Sum, Requests>({
    name: 'statesync',
    labels: kindLabels('statesync', StateSyncMessage),
    channels: [
      {
        id: STATESYNC_CHANNELS.snapshot,
        priority: 5,
        capacity: SEND_QUEUE_CAPACITY.snapshot,
        maxBytes: joining === undefined ? MAX_REQUEST_MESSAGE : MAX_SNAPSHOT_MESSAGE,
        carries: ['snapshotsRequest', 'snapshotsResponse'],
      },
      {
        id: STATESYNC_CHANNELS.chunk,
        priority: 3,
        capacity: SEND_QUEUE_CAPACITY.chunk,
        maxBytes:
          joining === undefined
            ? MAX_REQUEST_MESSAGE
            : (peerId) => (joining.isAsked(peerId) ? MAX_CHUNK_MESSAGE : MAX_REQUEST_MESSAGE),
        carries: ['chunkRequest', 'chunkResponse'],
      },
    ],
    decode,
    handlers: {
      snapshotsRequest: (from) => enqueue(from, (source) => sendSnapshots(source, from.peer)),
      snapshotsResponse: ({ peer }, snapshot) =>
        joining === undefined ? notSyncing() : verdictOf(joining.addSnapshot(peer.id, snapshot)),
      chunkRequest: (from, request) => enqueue(from, (source) => sendChunk(source, from.peer, request)),
      chunkResponse: ({ peer }, response) => {
        if (joining === undefined) return notSyncing()
        const receipt = joining.addChunk(peer.id, response)
        if (receipt.type === 'accept') onTransfer?.(response.chunk.length)
        return verdictOf(receipt)
      },
    },
    join: (peer) => ({ peer, disconnected: new AbortController(), queued: 0, last: Promise.resolve() }),
    joined: ({ peer }) => {
      if (joining !== undefined) peer.trySend(STATESYNC_CHANNELS.snapshot, SNAPSHOTS_REQUEST)
    },
    left: ({ peer, disconnected }) => {
      disconnected.abort()
      joining?.removePeer(peer.id)
    },
    // The greatest number of waiting requests that any single peer has.
    sizes: () => ({ requests: Math.max(0, ...Array.from(protocol.peers.values(), ({ queued }) => queued)) }),
  })
  return protocol
}
