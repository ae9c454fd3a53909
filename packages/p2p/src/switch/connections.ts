import { type Clock, isCodedError, type Logger } from '@org/runtime'
import { formatNetAddress } from '../address/index.ts'
import { type ChannelDescriptor, createReadTurns, createReceiveBudget } from '../mconn/index.ts'
import type { Peer, Reactor, ReactorChannel } from '../reactor/index.ts'
import type { Admitted } from './admission.ts'
import { createDelivery } from './deliver.ts'
import type { Links } from './links.ts'
import type { SwitchMetrics } from './metrics.ts'
import type { SwitchOptions } from './options.ts'
import { createPeer } from './peer.ts'
import type { PeerTable } from './peer-table.ts'
import type { Scores } from './scores.ts'

/** Begins and ends the connection with each peer. */
export interface Connections {
  /** Makes a peer of a node that was admitted, and reports the peer to all reactors. */
  readonly enter: (admitted: Admitted) => void
  /** Ends the connection with a peer. Does nothing if the connection has ended. */
  readonly stopPeer: (peer: Peer, reason: Error | undefined) => void
  /** Returns the number of received bytes of all messages that have not arrived completely. */
  readonly unfinishedBytes: () => number
}

export interface ConnectionsModules {
  readonly links: Pick<Links, 'createMultiplexer'>
  readonly reactors: readonly Reactor[]
  readonly connected: PeerTable
  readonly scores: Scores
  readonly metrics: SwitchMetrics
  /** Called after a connection has ended with an error. */
  readonly onLost: (peer: Peer) => void
  readonly clock: Clock
  readonly logger: Logger
}

export function createConnections(
  options: Pick<SwitchOptions, 'mconn' | 'maxUnfinishedBytes'>,
  modules: ConnectionsModules,
): Connections {
  const { links, reactors, connected, metrics, clock, logger } = modules
  const channels = reactors.flatMap((reactor) => reactor.channels)
  const budget = createReceiveBudget(options.maxUnfinishedBytes)
  const readTurns = createReadTurns(clock)
  const deliver = createDelivery({ reactors, scores: modules.scores, metrics, logger, stopPeer })

  function enter({ connection, nodeInfo, reportedAddress, early, socketAddress, outbound }: Admitted): void {
    const id = nodeInfo.defaultNodeId
    const reachedAt = outbound ? socketAddress : reportedAddress
    const multiplexer = links.createMultiplexer(
      { ...options.mconn, channels: channels.map((channel) => channelOf(channel, id)) },
      {
        transport: connection,
        early,
        budget,
        readTurns,
        clock,
        logger,
        onMessage: (channel, message) => deliver(peer, channel, message),
        onEnd: (error) => remove(peer, error),
      },
    )
    const facts = { nodeInfo, outbound, socketAddress, reportedAddress, connectedAt: clock.now() }
    const isPersistent = reachedAt !== undefined && connected.isPersistent(reachedAt)
    const peer = createPeer(
      { ...facts, persistent: isPersistent },
      { multiplexer, now: clock.now, onSent: metrics.sent },
    )
    connected.add({ peer, multiplexer })
    metrics.peers.set(connected.size())
    logger.info('Added peer', { peer: formatNetAddress(socketAddress), outbound })
    for (const reactor of reactors) reactor.addPeer(peer)
    multiplexer.start()
  }

  function stopPeer(peer: Peer, reason: Error | undefined): void {
    const entry = connected.get(peer.id)
    if (entry?.peer !== peer) return
    remove(peer, reason)
    entry.multiplexer.stop()
  }

  function remove(peer: Peer, reason: Error | undefined): void {
    if (connected.get(peer.id)?.peer !== peer) return
    if (reason !== undefined)
      logger.error('Stopping peer for error', { peer: peer.id, ...codeOf(reason), err: reason.message })
    for (const reactor of reactors) reactor.removePeer(peer, reason)
    // The peer is removed from the table last. Until then, the switch refuses a new connection of the same node. So
    // the node cannot connect again before every reactor has removed the peer.
    connected.remove(peer.id)
    metrics.peers.set(connected.size())
    if (reason !== undefined) modules.onLost(peer)
  }

  return { enter, stopPeer, unfinishedBytes: budget.bytes }
}

/** Returns the code of an error for the log. */
function codeOf(error: Error): { readonly code?: string } {
  return isCodedError(error) ? { code: error.code } : {}
}

/** Returns the channel of a reactor in the form that the multiplexer needs for the connection with this peer. */
function channelOf(
  { receiveMessageCapacity: capacity, ...channel }: ReactorChannel,
  peerId: string,
): ChannelDescriptor {
  if (capacity === undefined) return channel
  return { ...channel, receiveMessageCapacity: typeof capacity === 'number' ? capacity : () => capacity(peerId) }
}
