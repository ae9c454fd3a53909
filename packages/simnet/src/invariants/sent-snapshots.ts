import type { MethodName } from '@org/abci'
import { STATESYNC_CHANNELS } from '@org/engine/protocols'
import type { ResponseListSnapshots, ResponseLoadSnapshotChunk, Snapshot } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { type ChunkRequest, type ChunkResponse, StateSyncMessage } from '@org/types/messages'
import type { ChannelMessage } from '../peers/index.ts'
import type { AppCall } from './extensions.ts'

/** The maximum number of snapshots that a node offers to a peer. A node offers its newest snapshots. */
const OFFERED = 10
/** The maximum number of chunks that this check keeps for each node. */
const KEEP = 64

interface Counts {
  snapshots: number
  chunks: number
}

interface Served {
  /** The newest snapshots in the application's latest answer to ListSnapshots. */
  newest: ReadonlySet<string>
  /** The chunks that the application returned. */
  readonly chunks: Map<string, string>
}

/** Checks that a node sends its peers only the snapshots of its application, and not more than the peers requested. */
export interface SnapshotRules {
  /** Records an answer of a node's application. The simulation calls this after each answer to a call of ABCI. */
  readonly answered: (node: string, method: MethodName, call: AppCall) => void
  /**
   * To be called with each message that a node sends. The messages of liars are needed too: a liar may request
   * snapshots and chunks, and honest nodes may answer these requests.
   */
  readonly sent: (from: string, to: string, channelMessage: ChannelMessage) => void
  /** Returns how many snapshots and chunks honest nodes have sent. */
  readonly counts: () => Readonly<Counts>
}

export interface SnapshotModules {
  readonly now: () => number
  /**
   * The maximum time, in milliseconds, in which a joining node must request all chunks of a snapshot. The time begins
   * with the node's first request for a chunk. The snapshot must have so few chunks that the node may request all of
   * them at the same time. `undefined` if the time is not checked, because a fault may delay the node.
   */
  readonly requestsWithinMs: number | undefined
  readonly violate: (rule: string, detail: string) => void
  readonly isHonest: (name: string) => boolean
}

const nameOf = ({ height, format, chunks, hash }: Pick<Snapshot, 'height' | 'format' | 'chunks' | 'hash'>): string =>
  `${height}/${format}/${chunks}/${bytesToHex(hash)}`

const place = ({ height, format, index }: ChunkRequest): string => `${height}/${format}/${index}`

export function createSnapshotRules({ violate, isHonest, now, requestsWithinMs }: SnapshotModules): SnapshotRules {
  const served = new Map<string, Served>()
  const asked = new Map<string, Counts>()
  const given = new Map<string, Counts>()
  const counts: Counts = { snapshots: 0, chunks: 0 }
  /** By node and snapshot: the time of the node's first request for a chunk. Used only if `requestsWithinMs` is set. */
  const firstRequests = new Map<string, number>()

  function servedBy(node: string): Served {
    const one = served.get(node) ?? { newest: new Set<string>(), chunks: new Map<string, string>() }
    served.set(node, one)
    return one
  }

  function count(counts: Map<string, Counts>, way: string, what: keyof Counts): number {
    const one = counts.get(way) ?? { snapshots: 0, chunks: 0 }
    counts.set(way, one)
    one[what]++
    return one[what]
  }

  function check(way: readonly [from: string, to: string], what: keyof Counts, most: number): void {
    const [from, to] = way
    counts[what]++
    const number = count(given, way.join('>'), what)
    const questions = asked.get(`${to}>${from}`)?.[what] ?? 0
    if (number <= questions * most) return
    violate('snapshots', `${from} has sent ${number} ${what} to ${to}, which has sent ${questions} requests`)
  }

  function checkChunk(from: string, { height, format, index, chunk, missing }: ChunkResponse): void {
    const name = place({ height, format, index })
    const known = served.get(from)?.chunks.get(name)
    if (known === bytesToHex(chunk) && missing === (chunk.length === 0)) return
    violate('snapshots', `${from} sends another chunk ${name} (height/format/index) than its application returned`)
  }

  /**
   * Checks that a node sends its requests for chunks in time. If a node lost a request internally, it would repeat the
   * request only after the request's time limit, and this check would find that.
   */
  function checkRequest(from: string, { height, format, index }: ChunkRequest): void {
    if (requestsWithinMs === undefined || !isHonest(from)) return
    const snapshot = `${from}/${height}/${format}`
    const first = firstRequests.get(snapshot) ?? now()
    firstRequests.set(snapshot, first)
    const ms = now() - first
    if (ms > requestsWithinMs)
      violate(
        'snapshots',
        `${from} requests chunk ${index} of the snapshot of height ${height} ${ms} ms after its first request`,
      )
  }

  return {
    answered: (node, method, { request, answer }) => {
      if (method === 'listSnapshots') {
        const { snapshots = [] } = answer as Partial<ResponseListSnapshots>
        const newest = [...snapshots].sort((a, b) => b.height - a.height || b.format - a.format).slice(0, OFFERED)
        servedBy(node).newest = new Set(newest.map(nameOf))
      }
      if (method !== 'loadSnapshotChunk') return
      const { height, format, chunk: index } = request as { height: number; format: number; chunk: number }
      const { chunk = new Uint8Array(0) } = answer as Partial<ResponseLoadSnapshotChunk>
      const { chunks } = servedBy(node)
      const name = place({ height, format, index })
      chunks.delete(name)
      chunks.set(name, bytesToHex(chunk))
      const [oldest] = chunks.keys()
      if (chunks.size > KEEP && oldest !== undefined) chunks.delete(oldest)
    },
    sent: (from, to, { channel, bytes }) => {
      if (channel !== STATESYNC_CHANNELS.snapshot && channel !== STATESYNC_CHANNELS.chunk) return
      const { sum } = StateSyncMessage.decode(bytes)
      if (sum?.case === 'snapshotsRequest') count(asked, `${from}>${to}`, 'snapshots')
      if (sum?.case === 'chunkRequest') {
        count(asked, `${from}>${to}`, 'chunks')
        checkRequest(from, sum.value)
      }
      if (!isHonest(from)) return
      if (sum?.case === 'snapshotsResponse') {
        check([from, to], 'snapshots', OFFERED)
        if (served.get(from)?.newest.has(nameOf(sum.value)) !== true)
          violate(
            'snapshots',
            `${from} offers ${to} a snapshot of height ${sum.value.height}, which is not one of the newest`,
          )
      }
      if (sum?.case === 'chunkResponse') {
        check([from, to], 'chunks', 1)
        checkChunk(from, sum.value)
      }
    },
    counts: () => counts,
  }
}
