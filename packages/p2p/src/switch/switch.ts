import {
  type Clock,
  createLifecycle,
  isCodedError,
  type Logger,
  type Metrics,
  noopLogger,
  noopMetrics,
  type Random,
} from '@org/runtime'
import { publicKeyOf } from '@org/types/crypto'
import { formatNetAddress, isSameNode, type NetAddress, nodeIdOf, parseHostPort } from '../address/index.ts'
import { type ChannelDescriptor, createReadTurns, createReceiveBudget } from '../mconn/index.ts'
import { type NodeInfo, REJECTIONS } from '../nodeinfo/index.ts'
import type { Peer, Reactor, ReactorChannel } from '../reactor/index.ts'
import type { SecureOptions } from '../secret/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import { type Admitted, createAdmission } from './admission.ts'
import { createDelivery } from './deliver.ts'
import { createDialler, type Dialler } from './dialler.ts'
import { createSecretLinks, type Links } from './links.ts'
import { switchMetrics } from './metrics.ts'
import type { SwitchOptions } from './options.ts'
import { createPeer } from './peer.ts'
import { createPeerTable } from './peer-table.ts'
import type { Switch } from './ports.ts'
import { type ResolveHost, resolveByDns } from './reported-address.ts'
import { createScores } from './scores.ts'
import type { StreamFactory } from './stream-factory.ts'

/** The functions by which the switch reports to an address book. */
export interface AddressKeeper {
  readonly isOurs: (address: NetAddress) => void
  /** Called with the addresses that the operator named. */
  readonly named: (addresses: readonly NetAddress[]) => void
  readonly good: (id: string) => void
}

/** The parts that the switch uses: streams, reactors, the node info, and filters of peers. */
export interface SwitchModules {
  readonly streams: StreamFactory
  /**
   * The functions that make a connection from a stream of bytes. Default: the secret connection and the multiplexer.
   */
  readonly links?: Links
  /**
   * The whole node's budget for exact checks of signatures. These checks are slow, and only forged signatures and
   * unusual keys need them. Default: no limit.
   */
  readonly exactChecks?: SecureOptions['exactChecks']
  readonly reactors: readonly Reactor[]
  /** Called at each handshake, because the application's version may change. */
  readonly nodeInfo: () => NodeInfo
  readonly clock: Clock
  readonly random: Random
  readonly logger?: Logger
  readonly metrics?: Metrics
  readonly addresses?: AddressKeeper
  /** Resolves host names that peers report as their own. Default: asks name servers. */
  readonly resolveHost?: ResolveHost
  /**
   * Returns the reason why this node refuses a connection from an address or a node (`filter_peers`); `undefined` if it
   * accepts the connection.
   */
  readonly filterAddress?: (address: string) => Promise<string | undefined>
  readonly filterId?: (id: string) => Promise<string | undefined>
}

/** Creates the switch. The function is long because it connects the parts of the switch; each part has its own file. */
export function createSwitch(options: SwitchOptions, modules: SwitchModules): Switch {
  const { streams, links = createSecretLinks(modules.exactChecks), reactors, clock, random } = modules
  const logger = modules.logger ?? noopLogger
  const metrics = switchMetrics(modules.metrics ?? noopMetrics, reactors, clock)
  const channels = reactors.flatMap((reactor) => reactor.channels)
  const scores = createScores({ threshold: options.banThreshold, banMs: options.banMs, monotonic: clock.monotonic })
  const ownId = nodeIdOf(publicKeyOf(options.nodeKey))
  const connected = createPeerTable(options)
  const budget = createReceiveBudget(options.maxUnfinishedBytes)
  const readTurns = createReadTurns(clock)
  const deliver = createDelivery({ reactors, scores, metrics, logger, stopPeer })
  let listener: Awaited<ReturnType<StreamFactory['listen']>> | undefined
  const life = createLifecycle({
    name: 'the switch',
    start: async (signal) => {
      metrics.watchPending(connected.list, signal)
      if (options.listen !== undefined) listener = await streams.listen(options.listen, accept)
      if (!signal.aborted) dialSoon(connected.persistent())
    },
    stop: () => {
      for (const peer of connected.list()) stopPeer(peer, undefined)
    },
    close: () => listener?.close(),
  })
  const isRunning = life.isActive

  const isSelf = (address: NetAddress): boolean =>
    address.id === ownId ||
    (listener !== undefined && isSameNode(address, { id: ownId, ip: listener.host, port: listener.port }))

  const admission = createAdmission(options, {
    nodeInfo: modules.nodeInfo,
    filterAddress: modules.filterAddress,
    filterId: modules.filterId,
    peers: {
      ...connected,
      inbound: () => connected.counts().inbound,
      isBanned: scores.isBanned,
      isRunning,
      enter,
    },
    links,
    resolveHost: modules.resolveHost ?? resolveByDns,
    clock,
    random,
    metrics,
  })
  const dialler: Dialler = createDialler(options, {
    streams,
    admit: admission.admit,
    peers: { ...connected, isRunning },
    isOurs: (address) => modules.addresses?.isOurs(address),
    signal: life.signal,
    clock,
    random,
    logger,
  })

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
    const wanted = reachedAt !== undefined && connected.isPersistent(reachedAt)
    const peer = createPeer({ ...facts, persistent: wanted }, { multiplexer, now: clock.now, onSent: metrics.sent })
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
    if (reason === undefined || !peer.persistent || !life.isActive()) return
    const address = peer.outbound ? peer.socketAddress : peer.reportedAddress
    if (address !== undefined) dialler.dialAgain(address)
  }

  function accept(transport: ByteTransport): void {
    admission.accept(transport).catch((error: Error) => {
      // If a node has dialled itself, either end of the connection may be the first to detect this. So both ends report
      // the address.
      if (isCodedError(error, REJECTIONS.self)) modules.addresses?.isOurs(placeOf(ownId, transport.remoteAddress))
      logger.info('Inbound Peer rejected', { err: error.message, numPeers: connected.size() })
    })
  }

  function dialSoon(addresses: readonly NetAddress[]): void {
    const others = addresses.filter((address) => !isSelf(address))
    modules.addresses?.named(others)
    dialler.dialSoon(others)
  }

  return {
    start: life.start,
    stop: life.stop,
    peers: connected.list,
    peer: (id) => connected.get(id)?.peer,
    counts: () => ({ ...connected.counts(), dialling: dialler.count() }),
    listenAddress: () => listener,
    dial: dialler.dial,
    dialSoon,
    addPersistentPeers: connected.addPersistent,
    isPersistent: connected.isPersistent,
    addUnconditionalPeerIds: connected.addUnconditional,
    isUnconditional: connected.isUnconditional,
    isDiallingOrConnected: (address) => dialler.isDialling(address) || connected.isConnected(address),
    stopPeer,
    broadcast: (channel, message) => {
      for (const peer of connected.list()) void peer.send(channel, message)
    },
    markGood: (peer) => modules.addresses?.good(peer.id),
    sizes: () => ({
      peers: connected.size(),
      dialling: dialler.count(),
      scores: scores.size(),
      unfinishedBytes: budget.bytes(),
    }),
  }
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

function placeOf(id: string, address: string): NetAddress {
  const { host, port } = parseHostPort(address)
  return { id, ip: host, port }
}
