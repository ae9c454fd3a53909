import { BLOCKSYNC_CHANNEL } from '@org/engine/protocols'
import type { RandomSource, Scheduler, Trace } from '../world/index.ts'
import type { ConnectionEnd, ConnectionHandler, Endpoint, Interceptor, LinkFaults } from './endpoint.ts'
import { type ChannelMessage, createWire, type Wire, type WireOptions } from './wire.ts'

/**
 * On these channels, no fault sends a message twice. A block that arrives a second time would count as a block
 * without a request.
 */
const NOT_REPEATED: readonly number[] = [BLOCKSYNC_CHANNEL]

/**
 * The parts of a simulation that a hub and its connections use. A hub (the type `Hub`) holds all connections of a
 * network.
 */
export interface HubModules {
  readonly scheduler: Scheduler
  readonly random: RandomSource
  readonly trace: Trace
  /**
   * Called with every message that a node sends. If an interceptor replaces a message, called with the replacements.
   */
  readonly onSend: (from: string, to: string, channelMessage: ChannelMessage) => void
  /** Called after a message of the node `from` has entered the wire. */
  readonly onSent: (from: string, channelMessage: ChannelMessage) => void
  /** Called with the name of each fault that happens to a message, such as `segment lost`. */
  readonly onLinkFault: (what: string) => void
  /** Receives all messages on the wires, for a program that shows them. */
  readonly watchWire?: WireWatch | undefined
}

/** Functions that are called for the messages on the wires. These functions cannot change the messages. */
export interface WireWatch {
  /**
   * Called when a node sends a message. The message arrives at the virtual time `arrivesAt`, in milliseconds. It
   * arrives later if messages from this node to the receiver are blocked at that time, and not at all if the connection
   * has ended.
   */
  readonly left: (message: InFlightMessage, arrivesAt: number) => void
  /** Called when the message arrives at its receiver. */
  readonly taken: (message: InFlightMessage) => void
  /**
   * Called when the connection between two nodes has ended. Messages that the node `dead` had sent still arrive; all
   * others are lost.
   */
  readonly ended: (nodes: readonly [string, string], dead: string | undefined) => void
}

/**
 * A message between two nodes. A {@link WireWatch} receives the same message in two calls: its function `left` is
 * called when the message is sent, and its function `taken` when the message arrives. Both calls have the same object
 * as `channelMessage`.
 */
export interface InFlightMessage {
  readonly from: string
  readonly to: string
  readonly channelMessage: ChannelMessage
}

/** The state of the network that all connections share. */
export interface Links {
  readonly isBlocked: (from: string, to: string) => boolean
  /** The milliseconds by which messages are late, in addition to the latency of the wire. */
  readonly delay: (from: string, to: string) => number
  readonly interceptor: (name: string) => Interceptor | undefined
  readonly linkFaults: (name: string) => LinkFaults
  /** The open connections. */
  readonly connections: Set<Connection>
}

/** An open connection between two nodes. */
export interface Connection {
  readonly ends: readonly [Endpoint, Endpoint]
  readonly resume: () => void
  /**
   * Ends the connection. If a node has died, `dead` is this node, and the messages that it sent before still arrive.
   * All other messages are lost.
   */
  readonly end: (notified: readonly Endpoint[], dead?: Endpoint) => void
}

/**
 * Connects two nodes, and returns the two ends. The function is long because it contains everything that both ends
 * share: the wires, the handlers and the end of the connection.
 */
export function connect(
  options: WireOptions,
  modules: HubModules & { readonly links: Links },
  [one, other]: readonly [Endpoint, Endpoint],
): readonly [ConnectionEnd, ConnectionEnd] {
  const { scheduler, random, trace, onSend, onSent, onLinkFault, links, watchWire } = modules
  const handlers = new Map<Endpoint, ConnectionHandler>()
  const early = new Map<Endpoint, ChannelMessage[]>([
    [one, []],
    [other, []],
  ])
  const isOpen = (): boolean => links.connections.has(connection)
  const faultsOfBoth = [links.linkFaults(one.name), links.linkFaults(other.name)] as const

  function wire(from: Endpoint, to: Endpoint) {
    return createWire(options, {
      scheduler,
      random,
      isBlocked: () => links.isBlocked(from.name, to.name),
      delay: () => links.delay(from.name, to.name),
      loss: () => Math.max(faultsOfBoth[0].loss, faultsOfBoth[1].loss),
      onLeave:
        watchWire &&
        ((channelMessage, arrivesAt) => watchWire.left({ from: from.name, to: to.name, channelMessage }, arrivesAt)),
      onLoss: () => {
        trace.note(from.name, 'lost', to.name)
        onLinkFault('segment lost')
      },
      deliver: (channelMessage) => {
        if (!to.life.isAlive()) return undefined
        const handler = handlers.get(to)
        watchWire?.taken({ from: from.name, to: to.name, channelMessage })
        if (handler === undefined) {
          early.get(to)?.push(channelMessage)
          return undefined
        }
        trace.note(to.name, '<', from.name, channelMessage.channel, channelMessage.bytes.length)
        if (!to.life.isFrozen()) return handler.message(channelMessage)
        // A frozen node receives nothing, so later messages wait.
        return new Promise((resolve) => {
          to.life.later(0, () => {
            const done = handler.message(channelMessage)
            if (done === undefined) resolve()
            else void done.then(resolve)
          })
        })
      },
    })
  }
  const wires = new Map([
    [one, wire(one, other)],
    [other, wire(other, one)],
  ])

  function end(notified: readonly Endpoint[], dead?: Endpoint): void {
    if (!isOpen()) return
    links.connections.delete(connection)
    trace.note(one.name, '--', other.name)
    watchWire?.ended([one.name, other.name], dead?.name)
    let arrivesIn = 0
    for (const [from, each] of wires) {
      // Messages that a node sent before its death still arrive.
      if (from === dead) arrivesIn = each.finish()
      else each.cut()
    }
    for (const endpoint of notified) {
      const ms = arrivesIn + random.between(...options.latencyMs)
      endpoint.life.later(ms, () => handlers.get(endpoint)?.closed())
    }
  }
  const connection: Connection = {
    ends: [one, other],
    resume: () => {
      for (const each of wires.values()) each.resume()
    },
    end,
  }
  links.connections.add(connection)
  trace.note(one.name, '==', other.name)

  function connectionEnd(own: Endpoint, remote: Endpoint): ConnectionEnd {
    const raw = wires.get(own) as Wire
    const faultsOfOwn = links.linkFaults(own.name)
    const repeated = (channelMessage: ChannelMessage): readonly ChannelMessage[] => {
      if (NOT_REPEATED.includes(channelMessage.channel) || !random.chance(faultsOfOwn.repeats)) return [channelMessage]
      onLinkFault('message repeated')
      return [channelMessage, channelMessage]
    }
    const hasRoom: Wire['hasRoom'] = (channel, capacity) => raw.hasRoom(channel, Math.min(capacity, faultsOfOwn.room))
    const send: Wire = {
      ...raw,
      hasRoom,
      offer: (channelMessage, capacity) => {
        if (!own.life.isAlive() || !hasRoom(channelMessage.channel, capacity)) return false
        const filter = links.interceptor(own.name)
        const passed = filter === undefined ? [channelMessage] : filter(remote.name, channelMessage)
        const channelMessages = faultsOfOwn.repeats === 0 ? passed : passed.flatMap(repeated)
        for (const each of channelMessages) {
          onSend(own.name, remote.name, each)
          if (!own.life.isAlive()) return false
          raw.offer(each, Number.POSITIVE_INFINITY)
          onSent(own.name, each)
        }
        return true
      },
    }
    return {
      remoteInfo: remote.info(),
      remoteKey: remote.key,
      remote: remote.address,
      send,
      isRefused: own === one && links.linkFaults(other.name).closesIncoming,
      close: () => end([remote]),
      handle: (handler) => {
        handlers.set(own, handler)
        if (!isOpen()) own.life.later(0, handler.closed)
        for (const channelMessage of early.get(own)?.splice(0) ?? []) void handler.message(channelMessage)
      },
    }
  }
  return [connectionEnd(one, other), connectionEnd(other, one)]
}
