import { type createSwitch, type NetAddress, NO_FLOW, nodeIdOf, type Peer, type Switch, type Verdict } from '@org/p2p'
import { publicKeyOf } from '@org/types/crypto'
import type { Dice, Life } from '../world/index.ts'
import type { Hub, Plug, Station } from './hub.ts'
import type { Parcel } from './wire.ts'

export interface SimSwitchModules {
  readonly hub: Hub
  readonly life: Life
  readonly dice: Dice
  readonly name: string
  /** A peer's message was refused, and the connection with it. */
  readonly onReject: (from: string, reason: string) => void
}

interface Entry {
  readonly peer: Peer
  readonly plug: Plug
}

const RECONNECT_MS = [500, 3000] as const

/**
 * A switch without streams, cryptography and packets: what reactors send goes over the hub whole. Limits of peers, filters and the
 * exchange of addresses are not in it.
 */
export function createSimSwitch({ hub, life, dice, name, onReject }: SimSwitchModules): typeof createSwitch {
  return (options, { reactors, nodeInfo, clock }) => {
    const capacityOf = new Map<number, number>()
    const reactorOf = new Map(reactors.flatMap((reactor) => reactor.channels.map(({ id }) => [id, reactor] as const)))
    for (const { channels } of reactors) {
      for (const { id, sendQueueCapacity = 1 } of channels) capacityOf.set(id, sendQueueCapacity)
    }
    const ownId = nodeIdOf(publicKeyOf(options.nodeKey))
    const entries = new Map<string, Entry>()
    const dialling = new Set<string>()
    let persistent: readonly NetAddress[] = options.persistentPeers
    let running = false
    let unregister: () => void = () => undefined
    const listen = options.listen ?? { host: '0.0.0.0', port: 0 }
    const station: Station = {
      name,
      address: { id: ownId, ip: listen.host, port: listen.port },
      life,
      info: nodeInfo,
      accept: (plug) => {
        if (!running || entries.has(plug.remote.id)) return false
        add(plug, false)
        return true
      },
    }

    function createPeer(plug: Plug, outbound: boolean): Peer {
      const { remote, remoteInfo, send } = plug
      const since = clock.now()
      const capacity = (channel: number): number => capacityOf.get(channel) ?? 1
      const isOpen = (): boolean => entries.get(remote.id)?.plug === plug
      const trySend = (channel: number, bytes: Uint8Array): boolean =>
        isOpen() && send.offer({ channel, bytes }, capacity(channel))
      return {
        id: remote.id,
        nodeInfo: remoteInfo,
        outbound,
        persistent: persistent.some(({ id }) => id === remote.id),
        socketAddress: remote,
        hasChannel: (channel) => remoteInfo.channels.includes(channel),
        trySend,
        canSend: (channel) => isOpen() && send.hasRoom(channel, capacity(channel)),
        send: async (channel, bytes) => {
          const deadline = clock.monotonic() + options.mconn.sendTimeoutMs
          while (!trySend(channel, bytes)) {
            const left = deadline - clock.monotonic()
            if (!isOpen() || left <= 0) return false
            await new Promise<void>((resolve) => {
              const timer = clock.after(left, () => {
                forget()
                resolve()
              })
              const forget = send.onRoom(channel, () => {
                timer.cancel()
                resolve()
              })
            })
          }
          return true
        },
        status: () => ({
          sent: NO_FLOW,
          received: NO_FLOW,
          channels: [...capacityOf.keys()].map((id) => ({
            id,
            priority: 1,
            sendQueueCapacity: capacity(id),
            sendQueueSize: send.size(id),
            recentlySent: 0,
          })),
          durationNs: clock.now() - since,
        }),
      }
    }

    function add(plug: Plug, outbound: boolean): void {
      const peer = createPeer(plug, outbound)
      entries.set(peer.id, { peer, plug })
      for (const reactor of reactors) reactor.addPeer(peer)
      plug.handle({
        message: (parcel) => receive(peer, plug, parcel),
        closed: () => remove(peer, new Error('closed by the other side')),
      })
    }

    function receive(peer: Peer, plug: Plug, { channel, bytes }: Parcel): void | Promise<void> {
      if (entries.get(peer.id)?.plug !== plug) return undefined
      const verdict = reactorOf.get(channel)?.receive(peer, channel, bytes)
      if (verdict instanceof Promise) return verdict.then((late) => judge(peer, late))
      if (verdict !== undefined) judge(peer, verdict)
      return undefined
    }

    function judge(peer: Peer, verdict: Verdict): void {
      if (verdict.type !== 'reject') return
      onReject(peer.nodeInfo.moniker, verdict.reason)
      stopPeer(peer, new Error(verdict.reason))
    }

    function remove(peer: Peer, reason: Error | undefined): void {
      if (entries.get(peer.id)?.peer !== peer) return
      for (const reactor of reactors) reactor.removePeer(peer, reason)
      entries.delete(peer.id)
      if (running && reason !== undefined && peer.persistent) redial(peer.socketAddress)
    }

    function stopPeer(peer: Peer, reason: Error | undefined): void {
      const entry = entries.get(peer.id)
      if (entry?.peer !== peer) return
      remove(peer, reason)
      entry.plug.close()
    }

    async function dial(address: NetAddress): Promise<void> {
      if (entries.has(address.id) || dialling.has(address.id)) throw new Error('connected or dialled already')
      dialling.add(address.id)
      try {
        const plug = await hub.dial(station, address)
        if (!running || entries.has(address.id)) return plug.close()
        add(plug, true)
      } finally {
        dialling.delete(address.id)
      }
    }

    function redial(address: NetAddress): void {
      clock.after(dice.between(...RECONNECT_MS), () => {
        if (!running || entries.has(address.id) || dialling.has(address.id)) return
        dial(address).catch(() => redial(address))
      })
    }

    function dialSoon(addresses: readonly NetAddress[]): void {
      for (const address of addresses) {
        if (address.id === ownId) continue
        dial(address).catch(() => redial(address))
      }
    }

    const result: Switch = {
      start: async () => {
        running = true
        unregister = hub.register(station)
        dialSoon(persistent)
      },
      stop: async () => {
        running = false
        unregister()
        for (const { peer } of [...entries.values()]) stopPeer(peer, undefined)
      },
      peers: () => [...entries.values()].map(({ peer }) => peer),
      peer: (id) => entries.get(id)?.peer,
      counts: () => {
        const outbound = [...entries.values()].filter(({ peer }) => peer.outbound).length
        return { outbound, inbound: entries.size - outbound, dialling: dialling.size }
      },
      listenAddress: () => listen,
      dial,
      dialSoon,
      addPersistentPeers: (addresses) => {
        persistent = [...persistent, ...addresses]
        dialSoon(addresses)
      },
      isPersistent: ({ id }) => persistent.some((address) => address.id === id),
      addUnconditionalPeerIds: () => undefined,
      isUnconditional: () => false,
      isDiallingOrConnected: ({ id }) => dialling.has(id) || entries.has(id),
      stopPeer,
      broadcast: (channel, bytes) => {
        for (const { peer } of entries.values()) void peer.send(channel, bytes)
      },
      markGood: () => undefined,
    }
    return result
  }
}
