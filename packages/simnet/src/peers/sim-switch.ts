import {
  type ByteTransport,
  createSwitch,
  type NetAddress,
  nodeIdOf,
  PEX_CHANNEL,
  type Peer,
  type Reactor,
  type StreamFactory,
  TRANSPORT_ERRORS,
  TransportError,
  type Verdict,
} from '@org/p2p'
import { publicKeyOf } from '@org/types/crypto'
import type { Life } from '../world/index.ts'
import type { Endpoint } from './endpoint.ts'
import type { Hub } from './hub.ts'
import { createSimLinks } from './sim-links.ts'
import type { ChannelMessage } from './wire.ts'

export interface SimSwitchModules {
  readonly hub: Hub
  readonly life: Life
  readonly name: string
  /** Called when a peer's message was rejected. The switch ends the connection after the call. */
  readonly onReject: (from: string, reason: string) => void
  /** Called when a peer connects or disconnects, and when the node has judged a message about addresses. */
  readonly onPeerEvent: (event: PeerEvent) => void
  /** Called with an incoming message before anything examines it. */
  readonly onReceived: (from: string, channelMessage: ChannelMessage) => void
  /** The number of addresses in the node's book. */
  readonly addresses: () => number
  readonly now: () => number
}

/** An event between a node and a peer. */
export interface PeerEvent {
  readonly what: 'connected' | 'judged' | 'disconnected'
  readonly peer: Peer
  /** The time of the event, in milliseconds. The verdict on a message may come after this time. */
  readonly at: number
  readonly message?: Uint8Array
  readonly verdict?: Verdict
  /** The number of addresses that the message added to the node's book. */
  readonly learned?: number
}

/**
 * Creates the node's switch, with its limits, duplicate checks, bans and dials. Its connections carry whole messages,
 * so it uses no streams, no cryptography and no packets.
 */
export function createSimSwitch(own: SimSwitchModules): typeof createSwitch {
  const { hub, life, name } = own
  return (options, modules) => {
    const listen = options.listen ?? { host: '0.0.0.0', port: 0 }
    const key = publicKeyOf(options.nodeKey)
    const { links, transportOf } = createSimLinks()
    let accept: (transport: ByteTransport) => void = () => undefined
    const endpoint: Endpoint = {
      name,
      address: { id: nodeIdOf(key), ip: listen.host, port: listen.port },
      key,
      life,
      info: modules.nodeInfo,
      accept: (connection) => accept(transportOf(connection)),
    }

    async function dial(to: NetAddress): Promise<ByteTransport> {
      const connection = await hub.dial(endpoint, to).catch((cause: Error) => {
        throw new TransportError(TRANSPORT_ERRORS.dial, `dial ${to.ip}:${to.port}: ${cause.message}`, { cause })
      })
      return transportOf(connection)
    }

    const network: StreamFactory = {
      dial,
      listen: async (address, onStream) => {
        accept = onStream
        const unregister = hub.register(endpoint)
        return { ...address, close: async () => unregister() }
      },
    }
    const reactors = modules.reactors.map((reactor, i) => watched(reactor, { ...own, reportsConnections: i === 0 }))
    return createSwitch(options, { ...modules, streams: network, links, reactors })
  }
}

interface Watching extends Pick<SimSwitchModules, 'onReject' | 'onPeerEvent' | 'onReceived' | 'addresses' | 'now'> {
  /**
   * True for exactly one of the reactors. The switch reports each peer to every reactor, and only this reactor reports
   * the peer to `onPeerEvent`.
   */
  readonly reportsConnections: boolean
}

/** Wraps a reactor to report its events. */
function watched(
  reactor: Reactor,
  { onReject, onPeerEvent, onReceived, addresses, now, reportsConnections }: Watching,
): Reactor {
  return {
    ...reactor,
    addPeer: (peer) => {
      if (reportsConnections) onPeerEvent({ what: 'connected', peer, at: now() })
      reactor.addPeer(peer)
    },
    removePeer: (peer, reason) => {
      reactor.removePeer(peer, reason)
      if (reportsConnections) onPeerEvent({ what: 'disconnected', peer, at: now() })
    },
    receive: (peer, channel, message) => {
      const at = now()
      onReceived(peer.nodeInfo.moniker, { channel, bytes: message })
      const before = channel === PEX_CHANNEL ? addresses() : 0
      const judged = (verdict: Verdict): Verdict => {
        if (channel === PEX_CHANNEL)
          onPeerEvent({ what: 'judged', peer, at, message, verdict, learned: addresses() - before })
        if (verdict.type === 'reject') onReject(peer.nodeInfo.moniker, verdict.reason)
        return verdict
      }
      const verdict = reactor.receive(peer, channel, message)
      return verdict instanceof Promise ? verdict.then(judged) : judged(verdict)
    },
  }
}
