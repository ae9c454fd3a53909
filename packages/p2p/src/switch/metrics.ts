import { type Clock, type Counter, type Gauge, type Metrics, repeat } from '@org/runtime'
import type { Peer, Reactor } from '../reactor/index.ts'

/** Milliseconds between two measurements of the send queues, as in the reference. */
const PENDING_INTERVAL_MS = 10_000

export interface SwitchMetrics {
  readonly peers: Gauge
  readonly rejected: Counter
  /** Counts a rejected message that ended the connection of a peer, by the code of the verdict. */
  readonly misbehaved: (code: string) => void
  readonly sent: (peerId: string, channel: number, message: Uint8Array) => void
  readonly received: (peerId: string, channel: number, message: Uint8Array) => void
  /** Measures the send queues regularly, until the signal aborts. */
  readonly watchPending: (peers: () => readonly Peer[], signal: AbortSignal) => void
}

const channelName = (id: number): string => `0x${id.toString(16)}`

/** Creates the metrics of the switch. A metric that the reference also has keeps the reference's name. */
export function switchMetrics(metrics: Metrics, reactors: readonly Reactor[], clock: Clock): SwitchMetrics {
  const known = new Map(
    reactors.flatMap(({ channels, kinds }) =>
      channels.map(({ id }) => [id, { name: channelName(id), kinds }] as const),
    ),
  )
  const byPeer = (name: string, help: string): Counter => metrics.counter({ name, help, labels: ['peer_id', 'chID'] })
  const byKind = (name: string, help: string): Counter => metrics.counter({ name, help, labels: ['message_type'] })
  const ways = {
    received: {
      bytes: byPeer('p2p_peer_receive_bytes_total', 'Number of bytes received from a given peer.'),
      kinds: byKind('p2p_message_receive_bytes_total', 'Number of bytes of each message type received.'),
    },
    sent: {
      bytes: byPeer('p2p_peer_send_bytes_total', 'Number of bytes sent to a given peer.'),
      kinds: byKind('p2p_message_send_bytes_total', 'Number of bytes of each message type sent.'),
    },
  }
  const misbehaviour = metrics.counter({
    name: 'p2p_misbehaviour_total',
    help: 'Messages for which the connection of the peer was closed.',
    labels: ['code'],
  })
  const pending = metrics.gauge({
    name: 'p2p_peer_pending_send_bytes',
    help: 'Pending bytes to be sent to a given peer.',
    labels: ['peer_id'],
  })

  const counting =
    ({ bytes, kinds }: (typeof ways)[keyof typeof ways]): SwitchMetrics['sent'] =>
    (peerId, channel, message) => {
      const about = known.get(channel)
      bytes.add(message.length, { peer_id: peerId, chID: about?.name ?? channelName(channel) })
      // The first byte of a message is the tag of the field that contains the message. The tag without its lowest three
      // bits is the number of the field.
      const kind = about?.kinds?.[(message[0] ?? 0) >>> 3]
      if (kind !== undefined) kinds.add(message.length, { message_type: kind })
    }

  return {
    peers: metrics.gauge({ name: 'p2p_peers', help: 'Number of peers.' }),
    rejected: metrics.counter({
      name: 'p2p_rejected_total',
      help: 'Connections that were refused or failed before the other side became a peer.',
      labels: ['code'],
    }),
    misbehaved: (code) => misbehaviour.add(1, { code }),
    sent: counting(ways.sent),
    received: counting(ways.received),
    watchPending: (peers, signal) => {
      const run = (): void => {
        for (const peer of peers()) {
          // As in the reference, the value is a number of messages, although the name of the metric says bytes.
          const waiting = peer.status().channels.reduce((sum, { sendQueueSize }) => sum + sendQueueSize, 0)
          pending.set(waiting, { peer_id: peer.id })
        }
      }
      repeat(clock, { everyMs: PENDING_INTERVAL_MS, run, signal })
    },
  }
}
