import type { OpenP2pOptions } from '@org/engine'
import {
  DEFAULT_BLOCKSYNC_OPTIONS,
  DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
  DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
} from '@org/engine/protocols'
import {
  ADDRESS_ERRORS,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  type NetAddress,
  nodeIdOf,
  parseHostPort,
  parseNetAddress,
  validateId,
} from '@org/p2p'
import { isCodedError, type Logger } from '@org/runtime'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { type Config, durationToMs, pathsOf } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { maxAgreedItems } from '../memory/max-agreed-items.ts'
import { VERSIONS } from '../version.ts'

/** The time between two searches for more peers, as in the reference. */
const ENSURE_PEERS_PERIOD_MS = 30_000
/** The time after which a seed node disconnects a peer, as in the reference. */
const SEED_DISCONNECT_WAIT_MS = 28 * 3_600_000

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Reads addresses. As in the reference, a host that cannot be resolved is logged and left out. Throws a `CliError`. */
async function addresses(key: string, text: string, logger: Logger): Promise<readonly NetAddress[]> {
  const found: NetAddress[] = []
  for (const item of splitList(text)) {
    try {
      found.push(await parseNetAddress(item))
    } catch (cause) {
      const { message } = cause as Error
      if (!isCodedError(cause, ADDRESS_ERRORS.lookup)) {
        const wanted = "write ID@host:port; 'halley show-node-id --home HOME' prints the ID of a node"
        throw new CliError(CLI_ERRORS.usage, `p2p.${key}: ${message}: ${wanted}`, { data: { key, item }, cause })
      }
      logger.error("Error in peer's address", { key, err: message })
    }
  }
  return found
}

function ids(key: string, text: string): readonly string[] {
  const list = splitList(text)
  for (const id of list) {
    const fault = validateId(id)
    if (fault !== undefined) throw new CliError(CLI_ERRORS.usage, `p2p.${key}: wrong ID ${id}: ${fault}`)
  }
  return list
}

/** Returns the addresses of this node itself: its external address and the address at which it listens. */
async function ownAddresses({ p2p }: Config, nodeId: string): Promise<readonly NetAddress[]> {
  const own = [p2p.externalAddress, p2p.laddr]
    .filter((address) => address !== '')
    .map((address) => parseNetAddress(`${nodeId}@${address.replace(/^[a-z]+:\/\//, '')}`).catch(() => undefined))
  return (await Promise.all(own)).filter((address) => address !== undefined)
}

export interface P2pFacts {
  readonly nodeKey: PrivateKey
  readonly logger: Logger
}

/** Returns the options of the P2P layer, from the configuration. Throws a `CliError` for invalid addresses. */
export async function p2pOptions(config: Config, { nodeKey, logger }: P2pFacts): Promise<OpenP2pOptions> {
  const { base, p2p, mempool, rpc, consensus, txIndex } = config
  const persistentPeers = await addresses('persistent_peers', p2p.persistentPeers, logger)
  const seeds = await addresses('seeds', p2p.seeds, logger)
  return {
    switch: {
      ...DEFAULT_SWITCH_OPTIONS,
      nodeKey,
      listen: p2p.laddr === '' ? undefined : parseHostPort(p2p.laddr),
      persistentPeers,
      unconditionalPeerIds: ids('unconditional_peer_ids', p2p.unconditionalPeerIds),
      maxInboundPeers: p2p.maxNumInboundPeers,
      maxOutboundPeers: p2p.maxNumOutboundPeers,
      allowDuplicateIp: p2p.allowDuplicateIp,
      persistentPeersMaxDialPeriodMs: durationToMs(p2p.persistentPeersMaxDialPeriod),
      dialTimeoutMs: durationToMs(p2p.dialTimeout),
      handshakeTimeoutMs: durationToMs(p2p.handshakeTimeout),
      maxUnfinishedBytes: p2p.maxUnfinishedBytes,
      mconn: {
        ...DEFAULT_MCONN_OPTIONS,
        sendRate: p2p.sendRate,
        receiveRate: p2p.recvRate,
        maxPacketPayloadSize: p2p.maxPacketMsgPayloadSize,
      },
    },
    pex: p2p.pex
      ? {
          seedMode: p2p.seedMode,
          seeds,
          maxOutboundPeers: p2p.maxNumOutboundPeers,
          persistentPeersMaxDialPeriodMs: durationToMs(p2p.persistentPeersMaxDialPeriod),
          ensurePeersPeriodMs: ENSURE_PEERS_PERIOD_MS,
          seedDisconnectWaitMs: SEED_DISCONNECT_WAIT_MS,
        }
      : undefined,
    mempool:
      mempool.type === 'nop'
        ? undefined
        : {
            ...DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
            broadcast: mempool.broadcast,
            maxTxBytes: mempool.maxTxBytes,
            maxBatchBytes: mempool.maxBatchBytes,
            maxPersistentPeers: mempool.experimentalMaxGossipConnectionsToPersistentPeers,
            maxNonPersistentPeers: mempool.experimentalMaxGossipConnectionsToNonPersistentPeers,
          },
    consensus: {
      ...DEFAULT_CONSENSUS_GOSSIP_OPTIONS,
      queryMaj23Ms: durationToMs(consensus.peerQueryMaj23SleepDuration),
    },
    blockSync: { ...DEFAULT_BLOCKSYNC_OPTIONS, maxItems: maxAgreedItems() },
    filterPeers: base.filterPeers,
    book: {
      file: pathsOf(config).addressBook,
      strict: p2p.addrBookStrict,
      privateIds: ids('private_peer_ids', p2p.privatePeerIds),
      own: await ownAddresses(config, nodeIdOf(publicKeyOf(nodeKey))),
    },
    advertisedNode: {
      listenAddr: p2p.externalAddress === '' ? p2p.laddr : p2p.externalAddress,
      moniker: base.moniker,
      version: VERSIONS.software,
      txIndex: txIndex.indexer === 'kv' ? 'on' : 'off',
      rpcAddress: rpc.laddr,
    },
  }
}
