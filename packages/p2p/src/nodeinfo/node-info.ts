import type { DefaultNodeInfo } from '@org/types/p2p'
import { parseHostPort, validateId } from '../address/index.ts'

/** The description that a node sends in the handshake: its id, network, versions and channels. */
export type NodeInfo = DefaultNodeInfo

/** The reference's limits of a node info: 10 kB for the message, and 16 channels. */
export const MAX_NODE_INFO_SIZE = 10_240
const MAX_CHANNELS = 16

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
const isText = (text: string): boolean => isAscii(text) && text.trim() !== ''

/** Returns the fault of a node info; `undefined` if it is valid. */
export function nodeInfoFault(info: NodeInfo): string | undefined {
  const id = validateId(info.defaultNodeId)
  if (id !== undefined) return `invalid id (${info.defaultNodeId}): ${id}`
  try {
    parseHostPort(info.listenAddr)
  } catch (error) {
    return (error as Error).message
  }
  if (info.version !== '' && !isText(info.version)) {
    return `info.Version must be valid ASCII text without tabs, but got ${info.version}`
  }
  if (info.channels.length > MAX_CHANNELS)
    return `info.Channels is too long (${info.channels.length}). Max is ${MAX_CHANNELS}`
  const twice = info.channels.find((id, at) => info.channels.indexOf(id) !== at)
  if (twice !== undefined) return `info.Channels contains duplicate channel id ${twice}`
  if (!isText(info.moniker))
    return `info.Moniker must be valid non-empty ASCII text without tabs, but got ${info.moniker}`
  const { txIndex, rpcAddress } = info.other
  if (!['', 'on', 'off'].includes(txIndex)) {
    return `info.Other.TxIndex should be either 'on', 'off', or empty string, got '${txIndex}'`
  }
  if (rpcAddress !== '' && !isText(rpcAddress))
    return `info.Other.RPCAddress=${rpcAddress} must be valid ASCII text without tabs`
  return undefined
}

/**
 * Returns the reason why two nodes cannot be peers; `undefined` if they can. They need the same block protocol, the
 * same network and a common channel.
 */
export function incompatibility(own: NodeInfo, other: NodeInfo): string | undefined {
  if (own.protocolVersion.block !== other.protocolVersion.block) {
    return `peer is on a different Block version. Got ${other.protocolVersion.block}, expected ${own.protocolVersion.block}`
  }
  if (own.network !== other.network)
    return `peer is on a different network. Got ${other.network}, expected ${own.network}`
  if (own.channels.length > 0 && !own.channels.some((id) => other.channels.includes(id))) {
    return `peer has no common channels. Our channels: [${own.channels.join(' ')}] ; Peer channels: [${other.channels.join(' ')}]`
  }
  return undefined
}
