import {
  type Clock,
  isCodedError,
  type Logger,
  type Metrics,
  noopLogger,
  noopMetrics,
  type Random,
  type Service,
} from '@org/runtime'
import { publicKeyOf } from '@org/types/crypto'
import {
  equalAddresses,
  formatNetAddress,
  isSameNode,
  type NetAddress,
  nodeIdOf,
  parseHostPort,
} from '../address/index.ts'
import { createMultiplexer, type Multiplexer } from '../mconn/index.ts'
import { type NodeInfo, REJECTIONS, RejectedError } from '../nodeinfo/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import { MAX_HANDSHAKES } from './limits.ts'
import { switchMetrics } from './metrics.ts'
import type { SwitchOptions } from './options.ts'
import { createPeer, type Peer } from './peer.ts'
import type { Reactor, Verdict } from './reactor.ts'
import { DIAL_JITTER_MS, reconnect } from './reconnect.ts'
import { createScores } from './scores.ts'
import { type Upgraded, upgrade } from './upgrade.ts'

/** How streams are made: TCP, or memory in tests and simulations. */
export interface Network {
  readonly dial: (address: NetAddress, options: { timeoutMs: number; signal: AbortSignal }) => Promise<ByteTransport>
  readonly listen: (
    address: { readonly host: string; readonly port: number },
    accept: (transport: ByteTransport) => void,
  ) => Promise<{ readonly host: string; readonly port: number; readonly close: () => Promise<void> }>
}

/** What the switch tells an address book. */
export interface AddressKeeper {
  readonly isOurs: (address: NetAddress) => void
  readonly attempted: (address: NetAddress) => void
  readonly good: (id: string) => void
}

export interface SwitchModules {
  readonly network: Network
  readonly reactors: readonly Reactor[]
  /** Asked at each handshake, for what may change: the application's version. */
  readonly nodeInfo: () => NodeInfo
  readonly clock: Clock
  readonly random: Random
  readonly logger?: Logger
  readonly metrics?: Metrics
  readonly addresses?: AddressKeeper
  /** Says why a connection from this address, or this node, is not wanted (`filter_peers`). */
  readonly filterAddress?: (address: string) => Promise<string | undefined>
  readonly filterId?: (id: string) => Promise<string | undefined>
}

export interface Switch extends Service {
  readonly peers: () => readonly Peer[]
  readonly peer: (id: string) => Peer | undefined
  readonly counts: () => { readonly outbound: number; readonly inbound: number; readonly dialling: number }
  /** The bound address after `start`. */
  readonly listenAddress: () => { readonly host: string; readonly port: number } | undefined
  /** Dials now. Throws {@link RejectedError} or a dial error. */
  readonly dial: (address: NetAddress) => Promise<void>
  /** Dials in random order, each after a random pause; errors are logged. */
  readonly dialSoon: (addresses: readonly NetAddress[]) => void
  readonly addPersistentPeers: (addresses: readonly NetAddress[]) => void
  /** Ids that the limits do not count, from now on. */
  readonly addUnconditionalPeerIds: (ids: readonly string[]) => void
  readonly isUnconditional: (id: string) => boolean
  readonly isDiallingOrConnected: (address: NetAddress) => boolean
  readonly stopPeer: (peer: Peer, reason: Error | undefined) => void
  readonly broadcast: (channel: number, message: Uint8Array) => void
  readonly markGood: (peer: Peer) => void
}

interface Entry {
  readonly peer: Peer
  readonly multiplexer: Multiplexer
}

export function createSwitch(options: SwitchOptions, modules: SwitchModules): Switch {
  const { network, reactors, clock, random } = modules
  const logger = modules.logger ?? noopLogger
  const metrics = switchMetrics(modules.metrics ?? noopMetrics)
  const channels = reactors.flatMap((reactor) => reactor.channels)
  const reactorOf = new Map(reactors.flatMap((reactor) => reactor.channels.map(({ id }) => [id, reactor] as const)))
  const scores = createScores({ threshold: options.banThreshold, banMs: options.banMs, monotonic: clock.monotonic })
  const unconditional = new Set(options.unconditionalPeerIds)
  const ownId = nodeIdOf(publicKeyOf(options.nodeKey))
  const entries = new Map<string, Entry>()
  const dialling = new Map<string, NetAddress>()
  const reconnecting = new Set<string>()
  const stopping = new AbortController()
  let persistent: readonly NetAddress[] = options.persistentPeers
  let handshakes = 0
  let listener: Awaited<ReturnType<Network['listen']>> | undefined
  let running = false

  const isPersistent = (address: NetAddress): boolean => persistent.some((other) => equalAddresses(other, address))
  const hasIp = (ip: string): boolean => [...entries.values()].some(({ peer }) => peer.socketAddress.ip === ip)
  const isDiallingOrConnected = (address: NetAddress): boolean =>
    dialling.has(address.id) || entries.has(address.id) || (!options.allowDuplicateIp && hasIp(address.ip))

  function counts(): { outbound: number; inbound: number; dialling: number } {
    const counted = [...entries.values()].filter(({ peer }) => !unconditional.has(peer.id))
    const outbound = counted.filter(({ peer }) => peer.outbound).length
    return { outbound, inbound: counted.length - outbound, dialling: dialling.size }
  }

  async function filtered(run: Promise<string | undefined> | undefined): Promise<void> {
    if (run === undefined) return
    const late = Promise.withResolvers<never>()
    const timer = clock.after(options.filterTimeoutMs, () => {
      late.reject(new RejectedError(REJECTIONS.filterTimeout, 'the filter did not answer in time'))
    })
    const why = await Promise.race([run, late.promise]).finally(timer.cancel)
    if (why !== undefined) throw new RejectedError(REJECTIONS.filtered, why)
  }

  /** From a stream to a peer. On any fault the stream is closed and the reason thrown. */
  async function admit(transport: ByteTransport, dialled: NetAddress | undefined): Promise<void> {
    try {
      const { host: ip, port } = parseHostPort(transport.remoteAddress)
      if (!options.allowDuplicateIp && hasIp(ip)) {
        throw new RejectedError(REJECTIONS.duplicate, `ip ${ip} is connected already`)
      }
      await filtered(modules.filterAddress?.(transport.remoteAddress))
      const context = { options, own: modules.nodeInfo(), clock, random }
      const upgraded = await upgrade(transport, dialled, context)
      const id = upgraded.nodeInfo.defaultNodeId
      if (scores.isBanned(id))
        throw new RejectedError(REJECTIONS.banned, 'the peer is banned for now', { data: { id } })
      if (dialled === undefined && !unconditional.has(id) && counts().inbound >= options.maxInboundPeers) {
        throw new RejectedError(REJECTIONS.full, 'already have enough inbound peers', { data: { id } })
      }
      await filtered(modules.filterId?.(id))
      // Whatever happened meanwhile: one connection a node.
      if (entries.has(id)) throw new RejectedError(REJECTIONS.duplicate, `duplicate ID<${id}>`, { data: { id } })
      if (!running) throw new RejectedError(REJECTIONS.full, 'the switch is stopping')
      add(upgraded, dialled ?? { id, ip, port }, dialled !== undefined)
    } catch (error) {
      transport.close()
      metrics.rejected.add(1, { code: isCodedError(error) ? error.code : 'UNKNOWN' })
      throw error
    }
  }

  function add({ connection, nodeInfo, early }: Upgraded, socketAddress: NetAddress, outbound: boolean): void {
    const id = nodeInfo.defaultNodeId
    const reconnectTo = outbound ? socketAddress : selfReported(nodeInfo)
    const multiplexer = createMultiplexer(
      { ...options.mconn, channels },
      {
        transport: connection,
        early,
        clock,
        logger,
        onMessage: (channel, message) => receive(peer, channel, message),
        onEnd: (error) => remove(peer, error),
      },
    )
    const facts = { nodeInfo, outbound, socketAddress, connectedAt: clock.now() }
    const wanted = reconnectTo !== undefined && isPersistent(reconnectTo)
    const peer = createPeer({ ...facts, persistent: wanted }, multiplexer, clock.now)
    entries.set(id, { peer, multiplexer })
    metrics.peers.set(entries.size)
    logger.info('Added peer', { peer: formatNetAddress(socketAddress), outbound })
    for (const reactor of reactors) reactor.addPeer(peer)
    multiplexer.start()
  }

  function receive(peer: Peer, channel: number, message: Uint8Array): void | Promise<void> {
    metrics.receivedBytes.add(message.length, { peer_id: peer.id, chID: `0x${channel.toString(16)}` })
    const verdict = reactorOf.get(channel)?.receive(peer, channel, message)
    if (verdict instanceof Promise) return verdict.then((late) => judge(peer, late))
    if (verdict !== undefined) judge(peer, verdict)
  }

  function judge(peer: Peer, verdict: Verdict): void {
    if (verdict.type === 'accept') return
    if (verdict.type === 'ignore') {
      logger.debug('Ignored a message', { peer: peer.id, reason: verdict.reason })
      return
    }
    if (scores.lose(peer.id, verdict.points)) logger.warn('Banned peer', { peer: peer.id, reason: verdict.reason })
    stopPeer(peer, new RejectedError(REJECTIONS.filtered, verdict.reason, { data: { id: peer.id } }))
  }

  function stopPeer(peer: Peer, reason: Error | undefined): void {
    const entry = entries.get(peer.id)
    if (entry?.peer !== peer) return
    remove(peer, reason)
    entry.multiplexer.stop()
  }

  function remove(peer: Peer, reason: Error | undefined): void {
    if (entries.get(peer.id)?.peer !== peer) return
    if (reason !== undefined) logger.error('Stopping peer for error', { peer: peer.id, err: reason.message })
    for (const reactor of reactors) reactor.removePeer(peer, reason)
    // Last, so that the node cannot come back before every reactor has let it go.
    entries.delete(peer.id)
    metrics.peers.set(entries.size)
    if (reason === undefined || !peer.persistent || !running) return
    const address = peer.outbound ? peer.socketAddress : selfReported(peer.nodeInfo)
    if (address !== undefined) reconnectTo(address)
  }

  async function dial(address: NetAddress): Promise<void> {
    if (isDiallingOrConnected(address)) {
      throw new RejectedError(
        REJECTIONS.duplicate,
        `connection with ${formatNetAddress(address)} has been established or dialed`,
      )
    }
    dialling.set(address.id, address)
    modules.addresses?.attempted(address)
    try {
      const transport = await network.dial(address, { timeoutMs: options.dialTimeoutMs, signal: stopping.signal })
      await admit(transport, address)
    } catch (error) {
      if (isCodedError(error, REJECTIONS.self)) modules.addresses?.isOurs(address)
      else if (isPersistent(address) && running) reconnectTo(address)
      throw error
    } finally {
      dialling.delete(address.id)
    }
  }

  function reconnectTo(address: NetAddress): void {
    if (reconnecting.has(address.id)) return
    reconnecting.add(address.id)
    logger.info('Reconnecting to peer', { addr: formatNetAddress(address) })
    const attempt = async (): Promise<'over' | 'again'> => {
      if (!running) return 'over'
      try {
        await dial(address)
        return 'over'
      } catch (error) {
        if (isCodedError(error, REJECTIONS.duplicate)) return 'over'
        logger.info('Error reconnecting to peer. Trying again', {
          err: (error as Error).message,
          addr: formatNetAddress(address),
        })
        return 'again'
      }
    }
    const limits = { maxMs: options.persistentPeersMaxDialPeriodMs, signal: stopping.signal }
    reconnect(attempt, limits, { clock, random })
      .then(
        (over) => {
          if (!over) logger.error('Failed to reconnect to peer. Giving up', { addr: formatNetAddress(address) })
        },
        () => undefined,
      )
      .finally(() => reconnecting.delete(address.id))
  }

  function dialSoon(addresses: readonly NetAddress[]): void {
    for (const address of addresses) {
      if (address.id === ownId || isOwnListenAddress(address)) continue
      clock
        .sleep(random.below(DIAL_JITTER_MS), stopping.signal)
        .then(() => dial(address))
        .catch((error: unknown) => {
          if (stopping.signal.aborted) return
          const level =
            isCodedError(error, REJECTIONS.duplicate) || isCodedError(error, REJECTIONS.self) ? 'debug' : 'error'
          logger[level]('Error dialing peer', { err: error instanceof Error ? error.message : String(error) })
        })
    }
  }

  function isOwnListenAddress(address: NetAddress): boolean {
    return listener !== undefined && isSameNode(address, { id: ownId, ip: listener.host, port: listener.port })
  }

  function accept(transport: ByteTransport): void {
    if (handshakes >= MAX_HANDSHAKES || !running) {
      transport.close()
      return
    }
    handshakes++
    admit(transport, undefined)
      .catch((error: Error) => logger.info('Inbound Peer rejected', { err: error.message, numPeers: entries.size }))
      .finally(() => {
        handshakes--
      })
  }

  return {
    start: async () => {
      running = true
      if (options.listen !== undefined) listener = await network.listen(options.listen, accept)
      dialSoon(persistent)
    },
    stop: async () => {
      if (stopping.signal.aborted) return
      running = false
      stopping.abort(new RejectedError(REJECTIONS.full, 'the switch is stopping'))
      for (const { peer } of [...entries.values()]) stopPeer(peer, undefined)
      await listener?.close()
    },
    peers: () => [...entries.values()].map(({ peer }) => peer),
    peer: (id) => entries.get(id)?.peer,
    counts,
    listenAddress: () => listener,
    dial,
    dialSoon,
    addPersistentPeers: (addresses) => {
      persistent = [...persistent, ...addresses]
    },
    addUnconditionalPeerIds: (ids) => {
      for (const id of ids) unconditional.add(id)
    },
    isUnconditional: (id) => unconditional.has(id),
    isDiallingOrConnected,
    stopPeer,
    broadcast: (channel, message) => {
      for (const { peer } of entries.values()) void peer.send(channel, message)
    },
    markGood: (peer) => modules.addresses?.good(peer.id),
  }
}

function selfReported(info: NodeInfo): NetAddress | undefined {
  try {
    const { host, port } = parseHostPort(info.listenAddr)
    return { id: info.defaultNodeId, ip: host, port }
  } catch {
    return undefined
  }
}
