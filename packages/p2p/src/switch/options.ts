import type { PrivateKey } from '@org/types/crypto'
import type { HostAndPort, NetAddress } from '../address/index.ts'
import type { MconnOptions } from '../mconn/index.ts'

export interface SwitchOptions {
  readonly nodeKey: PrivateKey
  /** `undefined`: does not listen. */
  readonly listen: HostAndPort | undefined
  readonly persistentPeers: readonly NetAddress[]
  /** Ids that the limits do not count. */
  readonly unconditionalPeerIds: readonly string[]
  readonly maxInboundPeers: number
  readonly maxOutboundPeers: number
  readonly allowDuplicateIp: boolean
  /** The longest wait between two attempts to reach a persistent peer; 0 leaves the reference's steps alone. */
  readonly persistentPeersMaxDialPeriodMs: number
  /** Dials wait up to so long more, by chance, so that nodes that start together do not dial together. */
  readonly dialJitterMs: number
  readonly dialTimeoutMs: number
  readonly handshakeTimeoutMs: number
  readonly filterTimeoutMs: number
  readonly mconn: Omit<MconnOptions, 'channels'>
  /** Memory that messages of all peers may take while they are not whole, or are being handled. */
  readonly maxUnfinishedBytes: number
  /** Points that a peer may lose before it is banned, and for how long. */
  readonly banThreshold: number
  readonly banMs: number
}

export const DEFAULT_SWITCH_OPTIONS: Pick<
  SwitchOptions,
  | 'unconditionalPeerIds'
  | 'maxInboundPeers'
  | 'maxOutboundPeers'
  | 'allowDuplicateIp'
  | 'persistentPeersMaxDialPeriodMs'
  | 'dialJitterMs'
  | 'dialTimeoutMs'
  | 'handshakeTimeoutMs'
  | 'filterTimeoutMs'
  | 'maxUnfinishedBytes'
  | 'banThreshold'
  | 'banMs'
> = {
  unconditionalPeerIds: [],
  maxInboundPeers: 40,
  maxOutboundPeers: 10,
  allowDuplicateIp: false,
  persistentPeersMaxDialPeriodMs: 0,
  dialJitterMs: 3000,
  dialTimeoutMs: 3000,
  handshakeTimeoutMs: 20_000,
  filterTimeoutMs: 5000,
  maxUnfinishedBytes: 256 * 1024 * 1024,
  banThreshold: 100,
  banMs: 600_000,
}
