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
import { isSameNode, type NetAddress, nodeIdOf, parseHostPort } from '../address/index.ts'
import { type NodeInfo, REJECTIONS } from '../nodeinfo/index.ts'
import type { Peer, Reactor } from '../reactor/index.ts'
import type { SecureOptions } from '../secret/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import { createAdmission } from './admission.ts'
import { createConnections } from './connections.ts'
import { createDialler, type Dialler } from './dialler.ts'
import { createSecretLinks, type Links } from './links.ts'
import { switchMetrics } from './metrics.ts'
import type { SwitchOptions } from './options.ts'
import { createPeerTable } from './peer-table.ts'
import type { Switch } from './ports.ts'
import { limitLookups, type ResolveHost, resolveByDns } from './reported-address.ts'
import { createScores } from './scores.ts'
import type { StreamFactory } from './stream-factory.ts'

/** The functions by which the switch reports to an address book. */
export interface AddressKeeper {
  readonly isOurs: (address: NetAddress) => void
  /** Adds the addresses that the operator named to the address book. */
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
  /**
   * Returns this node's node info. Called at each handshake, because the application's version in the node info may
   * change.
   */
  readonly nodeInfo: () => NodeInfo
  readonly clock: Clock
  readonly random: Random
  readonly logger?: Logger
  readonly metrics?: Metrics
  readonly addresses?: AddressKeeper
  /**
   * Resolves a host name to an IP address. A peer may report a host name as its own address. Default: queries DNS
   * servers.
   */
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
  const scores = createScores({ threshold: options.banThreshold, banMs: options.banMs, monotonic: clock.monotonic })
  const ownId = nodeIdOf(publicKeyOf(options.nodeKey))
  const connected = createPeerTable(options)
  const connections = createConnections(options, {
    ...{ links, reactors, connected, scores, metrics, clock, logger },
    onLost: dialAgain,
  })
  let listener: Awaited<ReturnType<StreamFactory['listen']>> | undefined
  const life = createLifecycle({
    name: 'the switch',
    start: async (signal) => {
      metrics.watchPending(connected.list, signal)
      if (options.listen !== undefined) listener = await streams.listen(options.listen, accept)
      if (!signal.aborted) dialSoon(connected.persistent())
    },
    stop: () => {
      for (const peer of connected.list()) connections.stopPeer(peer, undefined)
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
      enter: connections.enter,
    },
    links,
    resolveHost: limitLookups(modules.resolveHost ?? resolveByDns),
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

  function dialAgain(peer: Peer): void {
    if (!peer.persistent || !isRunning()) return
    const address = peer.outbound ? peer.socketAddress : peer.reportedAddress
    if (address !== undefined) dialler.dialAgain(address)
  }

  function accept(transport: ByteTransport): void {
    admission.accept(transport).catch((error: Error) => {
      // If a node has dialled itself, either end of the connection may be the first to detect this. So both ends report
      // the address.
      if (isCodedError(error, REJECTIONS.self)) modules.addresses?.isOurs(addressOf(ownId, transport.remoteAddress))
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
    stopPeer: connections.stopPeer,
    broadcast: (channel, message) => {
      for (const peer of connected.list()) void peer.send(channel, message)
    },
    markGood: (peer) => modules.addresses?.good(peer.id),
    sizes: () => ({
      peers: connected.size(),
      dialling: dialler.count(),
      scores: scores.size(),
      unfinishedBytes: connections.unfinishedBytes(),
    }),
  }
}

function addressOf(id: string, address: string): NetAddress {
  const { host, port } = parseHostPort(address)
  return { id, ip: host, port }
}
