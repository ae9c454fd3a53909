import {
  type ByteTransport,
  createSwitch,
  type NetAddress,
  type Network,
  nodeIdOf,
  type Reactor,
  TRANSPORT_ERRORS,
  TransportError,
} from '@org/p2p'
import { publicKeyOf } from '@org/types/crypto'
import type { Life } from '../world/index.ts'
import type { Hub, Station } from './hub.ts'
import { createSimLinks } from './sim-links.ts'

export interface SimSwitchModules {
  readonly hub: Hub
  readonly life: Life
  readonly name: string
  /** A peer's message was refused, and the connection with it. */
  readonly onReject: (from: string, reason: string) => void
}

/**
 * The node's switch, with its limits, doubles, bans and dials, over connections that carry whole messages: without streams,
 * cryptography and packets.
 */
export function createSimSwitch({ hub, life, name, onReject }: SimSwitchModules): typeof createSwitch {
  return (options, modules) => {
    const listen = options.listen ?? { host: '0.0.0.0', port: 0 }
    const key = publicKeyOf(options.nodeKey)
    const { links, transportOf } = createSimLinks()
    let accept: (transport: ByteTransport) => void = () => undefined
    const station: Station = {
      name,
      address: { id: nodeIdOf(key), ip: listen.host, port: listen.port },
      key,
      life,
      info: modules.nodeInfo,
      accept: (plug) => accept(transportOf(plug)),
    }

    async function dial(to: NetAddress): Promise<ByteTransport> {
      const plug = await hub.dial(station, to).catch((cause: Error) => {
        throw new TransportError(TRANSPORT_ERRORS.dial, `dial ${to.ip}:${to.port}: ${cause.message}`, { cause })
      })
      return transportOf(plug)
    }

    const network: Network = {
      dial,
      listen: async (address, onStream) => {
        accept = onStream
        const unregister = hub.register(station)
        return { ...address, close: async () => unregister() }
      },
    }
    const reactors = modules.reactors.map((reactor) => watched(reactor, onReject))
    return createSwitch(options, { ...modules, network, links, reactors })
  }
}

/** The same, and tells of what it refuses. */
function watched(reactor: Reactor, onReject: SimSwitchModules['onReject']): Reactor {
  return {
    ...reactor,
    receive: (peer, channel, message) => {
      const verdict = reactor.receive(peer, channel, message)
      if (verdict instanceof Promise) {
        return verdict.then((late) => {
          if (late.type === 'reject') onReject(peer.nodeInfo.moniker, late.reason)
          return late
        })
      }
      if (verdict.type === 'reject') onReject(peer.nodeInfo.moniker, verdict.reason)
      return verdict
    },
  }
}
