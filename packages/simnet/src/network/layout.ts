import { type NetAddress, nodeIdOf, type PexOptions } from '@org/p2p'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { keyOf } from '../node/index.ts'
import type { NetworkOptions } from './options.ts'

/** The milliseconds after which a seed node disconnects a peer, as in the reference. */
const SEED_DISCONNECT_WAIT_MS = 28 * 3_600_000

/** The identity and the peers of a node, as the options of the network define them. */
export interface PlacedNode {
  readonly name: string
  readonly key: PrivateKey
  readonly nodeKey: PrivateKey
  readonly address: NetAddress
  /**
   * The addresses that the node dials. Two nodes need only one connection, so only one of the two nodes dials the
   * other.
   */
  readonly peers: readonly NetAddress[]
  readonly pex: PexOptions | undefined
  /** The ids of the peers that the node's application refuses. */
  readonly refused: readonly string[]
  /** True if the node begins with a snapshot. */
  readonly isJoiner: boolean
}

type Identity = Pick<PlacedNode, 'name' | 'key' | 'nodeKey' | 'address'>

/**
 * Returns the name, the keys and the address of a node. The same index always has the same keys. If `keys` has a key
 * for the index, the node signs with this key.
 */
function identityOf(index: number, chainId: string, keys: readonly PrivateKey[] = []): Identity {
  const name = `n${index}`
  const nodeKey = keyOf(`${chainId}/peer/${name}`)
  const ip = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
  const address: NetAddress = { id: nodeIdOf(publicKeyOf(nodeKey)), ip, port: 26_656 }
  return { name, key: keys[index] ?? keyOf(`${chainId}/${name}`), nodeKey, address }
}

/**
 * Returns the identity and the peers of a node that is added to a running network. The node dials all nodes with a
 * smaller index.
 */
export function placeAddedNode(index: number, chainId: string): PlacedNode {
  const peers = Array.from({ length: index }, (_, i) => identityOf(i, chainId).address)
  return { ...identityOf(index, chainId), peers, pex: undefined, refused: [], isJoiner: false }
}

export function placeNodes(options: NetworkOptions, chainId: string): readonly PlacedNode[] {
  const { exchange } = options
  const members = options.validators + options.fullNodes
  const total = members + (options.joiners?.nodes ?? 0)
  const identities = Array.from({ length: total }, (_, index) => identityOf(index, chainId, options.keys))
  const addressOf = (index: number): NetAddress => (identities[index] as Identity).address

  function peersOf(index: number): NetAddress[] {
    if (exchange !== undefined) return []
    const count = Math.min(options.peersPerNode, Math.floor(total / 2))
    const offsets = Array.from({ length: count }, (_, i) => i + 1)
    return offsets
      .filter((offset) => 2 * offset < total || index < total / 2)
      .map((offset) => addressOf((index + offset) % total))
  }

  function refusedBy(index: number): string[] {
    return options.appRefuses.flatMap(({ node, peer }) => (node === index ? (identities[peer]?.address.id ?? []) : []))
  }

  function pexOf(index: number): PexOptions | undefined {
    if (exchange === undefined) return undefined
    return {
      seedMode: exchange.seedMode && exchange.seeds.includes(index),
      seeds: exchange.seeds.filter((seed) => seed !== index).map(addressOf),
      maxOutboundPeers: exchange.maxOutbound,
      persistentPeersMaxDialPeriodMs: options.redialMs,
      ensurePeersPeriodMs: exchange.everyMs,
      seedDisconnectWaitMs: SEED_DISCONNECT_WAIT_MS,
    }
  }

  return identities.map((identity, index) => ({
    ...identity,
    peers: peersOf(index),
    pex: pexOf(index),
    refused: refusedBy(index),
    isJoiner: index >= members,
  }))
}
