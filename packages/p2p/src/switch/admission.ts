import { type Clock, createDeferred, isCodedError, type Random } from '@org/runtime'
import { type NetAddress, parseHostPort } from '../address/index.ts'
import { type NodeInfo, REJECTIONS, RejectedError } from '../nodeinfo/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import { createHandshakeSlots, type HandshakeSlot, type HandshakeSlots } from './handshake-slots.ts'
import { MAX_HANDSHAKES_PER_IP } from './limits.ts'
import type { Links } from './links.ts'
import type { SwitchMetrics } from './metrics.ts'
import type { SwitchOptions } from './options.ts'
import type { ResolveHost } from './reported-address.ts'
import { type Upgraded, upgrade } from './upgrade.ts'

/** A node that passed all checks. */
export interface Admitted extends Upgraded {
  readonly socketAddress: NetAddress
  readonly outbound: boolean
}

export interface AdmissionModules {
  /** Returns this node's node info. It is called at each handshake, because the node info may change. */
  readonly nodeInfo: () => NodeInfo
  readonly filterAddress: ((address: string) => Promise<string | undefined>) | undefined
  readonly filterId: ((id: string) => Promise<string | undefined>) | undefined
  /** The connected peers. */
  readonly peers: {
    readonly has: (id: string) => boolean
    readonly hasIp: (ip: string) => boolean
    /** Returns the number of inbound peers that count against the limit of inbound peers. */
    readonly inbound: () => number
    readonly isUnconditional: (id: string) => boolean
    readonly hasUnconditional: () => boolean
    readonly isBanned: (id: string) => boolean
    readonly isRunning: () => boolean
    /** Makes the admitted node a peer. */
    readonly enter: (admitted: Admitted) => void
  }
  readonly links: Links
  readonly resolveHost: ResolveHost
  readonly clock: Clock
  readonly random: Random
  readonly metrics: SwitchMetrics
}

export interface Admission {
  /**
   * Checks the node at the other end of a stream that this node opened, and makes it a peer. If a check fails, closes
   * the stream and throws the reason.
   */
  readonly admit: (transport: ByteTransport, dialled: NetAddress) => Promise<void>
  /**
   * Does the same as `admit` for a stream that another node opened. If too many handshakes are in progress, closes the
   * stream of another handshake (see {@link HandshakeSlots}).
   */
  readonly accept: (transport: ByteTransport) => Promise<void>
}

/**
 * Waits for the answer of a filter of the application. The parameter `slot` is the handshake slot of the stream. During
 * the wait, a new stream cannot take this slot. Throws a `RejectedError` if the filter refuses or does not answer in
 * time.
 */
async function filtered(
  run: Promise<string | undefined> | undefined,
  slot: HandshakeSlot | undefined,
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
): Promise<void> {
  if (run === undefined) return
  if (slot !== undefined) slot.isFiltered = true
  const timeout = createDeferred<never>()
  const timer = clock.after(ms, () => {
    timeout.reject(
      new RejectedError(REJECTIONS.filterTimeout, 'the peer filter of the application did not answer in time'),
    )
  })
  const why = await Promise.race([run, timeout.promise]).finally(timer.cancel)
  if (slot !== undefined) slot.isFiltered = false
  if (why !== undefined) throw new RejectedError(REJECTIONS.filtered, why)
}

const full = (text: string, id?: string): RejectedError =>
  new RejectedError(REJECTIONS.full, text, id === undefined ? {} : { data: { id } })

/**
 * Decides for each stream whether the node at its other end becomes a peer. Checks limits, addresses that are in use,
 * filters, the handshake and bans.
 */
export function createAdmission(options: SwitchOptions, modules: AdmissionModules): Admission {
  const { peers, links, resolveHost, clock, random, metrics } = modules
  /** For each IP address: the number of connections whose checks are not finished. */
  const pending = new Map<string, number>()
  const slots: HandshakeSlots = createHandshakeSlots()
  const filterLimits = { clock, ms: options.filterTimeoutMs }

  /** Counts a connection until the returned function is called. */
  function countPending(ip: string): () => void {
    pending.set(ip, (pending.get(ip) ?? 0) + 1)
    return () => {
      const remaining = (pending.get(ip) ?? 1) - 1
      if (remaining === 0) pending.delete(ip)
      else pending.set(ip, remaining)
    }
  }

  /** Refuses a connection for the reasons that are known before the handshake. */
  function refuseEarly(ip: string, isInbound: boolean): void {
    const open = pending.get(ip) ?? 0
    if (!options.allowDuplicateIp && (open > 0 || peers.hasIp(ip))) {
      throw new RejectedError(REJECTIONS.duplicate, `ip ${ip} is connected already`)
    }
    if (!isInbound) return
    if (open >= MAX_HANDSHAKES_PER_IP) throw full(`too many handshakes with ${ip} are pending`)
    if (!peers.hasUnconditional() && peers.inbound() >= options.maxInboundPeers) {
      throw full('already have enough inbound peers')
    }
  }

  function refuse(id: string, isInbound: boolean): void {
    if (peers.isBanned(id))
      throw new RejectedError(REJECTIONS.banned, 'the peer is banned, and the ban has not ended yet', { data: { id } })
    if (isInbound && !peers.isUnconditional(id) && peers.inbound() >= options.maxInboundPeers) {
      throw full('already have enough inbound peers', id)
    }
    if (peers.has(id)) throw new RejectedError(REJECTIONS.duplicate, `duplicate ID<${id}>`, { data: { id } })
  }

  async function judge(transport: ByteTransport, dialled?: NetAddress, slot?: HandshakeSlot): Promise<Upgraded> {
    await filtered(modules.filterAddress?.(transport.remoteAddress), slot, filterLimits)
    const ownNodeInfo = modules.nodeInfo()
    const upgraded = await upgrade(transport, dialled, { options, links, ownNodeInfo, resolveHost, clock, random })
    const id = upgraded.nodeInfo.defaultNodeId
    refuse(id, dialled === undefined)
    await filtered(modules.filterId?.(id), slot, filterLimits)
    return upgraded
  }

  /**
   * Repeats the checks of the function {@link refuse}, and the check that no peer has the same IP address. Other
   * connections may have been accepted while this node waited for the application's filter.
   */
  function refuseLate(id: string, ip: string, isInbound: boolean): void {
    refuse(id, isInbound)
    if (!options.allowDuplicateIp && peers.hasIp(ip)) {
      throw new RejectedError(REJECTIONS.duplicate, `ip ${ip} is connected already`, { data: { id } })
    }
    if (!peers.isRunning()) throw full('the switch is stopping')
  }

  async function admit(transport: ByteTransport, dialled: NetAddress | undefined): Promise<void> {
    let release: () => void = () => undefined
    let slot: HandshakeSlot | undefined
    try {
      const { host: ip, port } = parseHostPort(transport.remoteAddress)
      refuseEarly(ip, dialled === undefined)
      release = countPending(ip)
      if (dialled === undefined) slot = slots.acquire(transport, ip)
      if (dialled === undefined && slot === undefined) throw full('too many handshakes are pending')
      const upgraded = await judge(transport, dialled, slot)
      const id = upgraded.nodeInfo.defaultNodeId
      // Between this check and `enter` no other code may run, not even the callback of a promise. Otherwise another
      // connection of the same node could be accepted in between.
      refuseLate(id, ip, dialled === undefined)
      const socketAddress = dialled ?? { id, ip, port }
      peers.enter({ ...upgraded, socketAddress, outbound: dialled !== undefined })
    } catch (error) {
      transport.close()
      metrics.rejected.add(1, { code: isCodedError(error) ? error.code : 'UNKNOWN' })
      throw error
    } finally {
      slot?.release()
      release()
    }
  }

  return {
    admit,
    accept: async (transport) => {
      if (peers.isRunning()) {
        await admit(transport, undefined)
        return
      }
      transport.close()
      metrics.rejected.add(1, { code: REJECTIONS.full })
    },
  }
}
