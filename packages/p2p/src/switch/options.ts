import type { PrivateKey } from '@org/types/crypto'
import type { HostAndPort, NetAddress } from '../address/index.ts'
import type { MconnOptions } from '../mconn/index.ts'

/** The settings of the switch: its key and address, the numbers of peers, and time limits in milliseconds. */
export interface SwitchOptions {
  readonly nodeKey: PrivateKey
  /** The address on which the node listens. With `undefined` the node does not listen. */
  readonly listen: HostAndPort | undefined
  readonly persistentPeers: readonly NetAddress[]
  /** The ids of peers that do not count against `maxInboundPeers` and `maxOutboundPeers`. */
  readonly unconditionalPeerIds: readonly string[]
  readonly maxInboundPeers: number
  readonly maxOutboundPeers: number
  readonly allowDuplicateIp: boolean
  /**
   * The longest wait between two attempts to reach a persistent peer, in milliseconds; 0 keeps the reference's waits.
   */
  readonly persistentPeersMaxDialPeriodMs: number
  /**
   * The longest random delay before a dial, in milliseconds, so that nodes that start together do not dial at the same
   * moment.
   */
  readonly dialJitterMs: number
  readonly dialTimeoutMs: number
  readonly handshakeTimeoutMs: number
  readonly filterTimeoutMs: number
  readonly mconn: Omit<MconnOptions, 'channels'>
  /**
   * The maximum number of bytes that the incomplete messages of all peers, and the messages that are being handled,
   * take together.
   */
  readonly maxUnfinishedBytes: number
  /** The number of lost points at which a peer is banned, and the length of the ban in milliseconds. */
  readonly banThreshold: number
  readonly banMs: number
}

/** The default options of the switch. */
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
