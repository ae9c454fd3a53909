import type { Clock, Random } from '@org/runtime'
import { type NetAddress, nodeIdOf } from '../address/index.ts'
import { incompatibility, type NodeInfo, nodeInfoFault, REJECTIONS, RejectedError } from '../nodeinfo/index.ts'
import type { SecretConnection } from '../secret/index.ts'
import type { ByteTransport } from '../transport/index.ts'
import type { Links } from './links.ts'
import type { SwitchOptions } from './options.ts'
import { type ResolveHost, reportedAddress } from './reported-address.ts'

export interface Upgraded {
  readonly connection: SecretConnection
  readonly nodeInfo: NodeInfo
  readonly reportedAddress: NetAddress | undefined
  /** The bytes that were received after the peer's node info. */
  readonly early: Uint8Array
}

/**
 * Makes a connection to a compatible node from a stream: runs the handshake, and exchanges and checks the node infos.
 * If one of these steps fails, closes the stream and throws {@link RejectedError}.
 */
export async function upgrade(
  transport: ByteTransport,
  dialled: NetAddress | undefined,
  context: {
    readonly options: Pick<SwitchOptions, 'nodeKey' | 'handshakeTimeoutMs'>
    readonly links: Pick<Links, 'secure' | 'exchangeNodeInfo'>
    readonly ownNodeInfo: NodeInfo
    readonly resolveHost: ResolveHost
    readonly clock: Clock
    readonly random: Random
  },
): Promise<Upgraded> {
  const { options, links, ownNodeInfo, resolveHost, clock, random } = context
  try {
    const secret = random.bytes(32)
    const timeoutMs = options.handshakeTimeoutMs
    const keys = { privateKey: options.nodeKey, secret, dialled: dialled !== undefined }
    const secured = links.secure(transport, { ...keys, timeoutMs }, clock)
    const connection = await secured.catch((cause) => {
      throw new RejectedError(REJECTIONS.authentication, `secret conn failed: ${(cause as Error).message}`, { cause })
    })
    const id = nodeIdOf(connection.remoteKey)
    if (dialled !== undefined && dialled.id !== id) {
      const text = `conn.ID (${id}) dialed ID (${dialled.id}) mismatch`
      throw new RejectedError(REJECTIONS.wrongId, text, { data: { id } })
    }
    const { info, rest } = await links.exchangeNodeInfo(connection, ownNodeInfo, { timeoutMs, clock })
    const fault = nodeInfoFault(info)
    if (fault !== undefined) throw new RejectedError(REJECTIONS.nodeInfo, fault, { data: { id } })
    if (info.defaultNodeId !== id) {
      const text = `conn.ID (${id}) NodeInfo.ID (${info.defaultNodeId}) mismatch`
      throw new RejectedError(REJECTIONS.authentication, text, { data: { id } })
    }
    if (id === ownNodeInfo.defaultNodeId)
      throw new RejectedError(REJECTIONS.self, 'the node cannot be its own peer', { data: { id } })
    const why = incompatibility(ownNodeInfo, info)
    if (why !== undefined) throw new RejectedError(REJECTIONS.incompatible, why, { data: { id } })
    const reported = reportedAddress(info, resolveHost, clock)
    // `reported` is a promise only if the peer reported a host name, which must be resolved. An IP address needs no
    // `await`, which would delay the rest of this function.
    const place = reported instanceof Promise ? await reported : reported
    return { connection, nodeInfo: info, reportedAddress: place, early: rest }
  } catch (error) {
    transport.close()
    throw error
  }
}
