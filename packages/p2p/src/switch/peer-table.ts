import { equalAddresses, type NetAddress } from '../address/index.ts'
import type { Multiplexer } from '../mconn/index.ts'
import type { Peer } from '../reactor/index.ts'
import type { SwitchOptions } from './options.ts'

/** A peer and its connection. */
export interface Entry {
  readonly peer: Peer
  readonly multiplexer: Multiplexer
}

/** The connected peers by id, and the nodes that the operator named as persistent or unconditional. */
export interface PeerTable {
  readonly size: () => number
  readonly has: (id: string) => boolean
  readonly hasIp: (ip: string) => boolean
  readonly isConnected: (address: NetAddress) => boolean
  readonly get: (id: string) => Entry | undefined
  readonly list: () => readonly Peer[]
  readonly add: (entry: Entry) => void
  readonly remove: (id: string) => void
  /** Returns the number of peers in each direction, without the unconditional peers. */
  readonly counts: () => { readonly outbound: number; readonly inbound: number }
  readonly persistent: () => readonly NetAddress[]
  readonly isPersistent: (address: NetAddress) => boolean
  readonly addPersistent: (addresses: readonly NetAddress[]) => void
  readonly isUnconditional: (id: string) => boolean
  readonly hasUnconditional: () => boolean
  readonly addUnconditional: (ids: readonly string[]) => void
}

export function createPeerTable(
  options: Pick<SwitchOptions, 'persistentPeers' | 'unconditionalPeerIds' | 'allowDuplicateIp'>,
): PeerTable {
  const entries = new Map<string, Entry>()
  const unconditional = new Set(options.unconditionalPeerIds)
  let persistent: readonly NetAddress[] = options.persistentPeers

  const list = (): Peer[] => [...entries.values()].map(({ peer }) => peer)
  const hasIp = (ip: string): boolean => list().some((peer) => peer.socketAddress.ip === ip)

  return {
    size: () => entries.size,
    has: (id) => entries.has(id),
    hasIp,
    isConnected: ({ id, ip }) => entries.has(id) || (!options.allowDuplicateIp && hasIp(ip)),
    get: (id) => entries.get(id),
    list,
    add: (entry) => void entries.set(entry.peer.id, entry),
    remove: (id) => void entries.delete(id),
    counts: () => {
      const counted = list().filter(({ id }) => !unconditional.has(id))
      const outbound = counted.filter((peer) => peer.outbound).length
      return { outbound, inbound: counted.length - outbound }
    },
    persistent: () => persistent,
    isPersistent: (address) => persistent.some((other) => equalAddresses(other, address)),
    addPersistent: (addresses) => {
      persistent = [...persistent, ...addresses]
    },
    isUnconditional: (id) => unconditional.has(id),
    hasUnconditional: () => unconditional.size > 0,
    addUnconditional: (ids) => {
      for (const id of ids) unconditional.add(id)
    },
  }
}
