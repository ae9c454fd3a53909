import {
  ACCEPT,
  createSwitch,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  type MemoryHub,
  type NetAddress,
  nodeIdOf,
  type Peer,
  type Switch,
} from '@org/p2p'
import { createSystemClock, createSystemRandom } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'

const CHANNELS = [0x40, 0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x60, 0x61] as const

export interface HostilePeer extends AsyncDisposable {
  readonly id: string
  readonly peers: Switch
  /** Sends a message to every node with which this peer is connected. Waits while a queue is full. */
  readonly send: (channel: number, message: Uint8Array) => Promise<void>
  readonly dial: (address: NetAddress) => Promise<void>
  readonly isConnected: () => boolean
  readonly stop: () => Promise<void>
}

export interface HostileOptions {
  readonly hub: MemoryHub
  readonly ip: string
  readonly chainId: string
  readonly onConnect?: (peer: Peer) => void
  readonly onMessage?: (peer: Peer, channel: number, message: Uint8Array) => void
}

/** A peer that follows the protocol of the transport, and sends the messages of the test. */
export async function createHostilePeer(options: HostileOptions): Promise<HostilePeer> {
  const { hub, ip, chainId } = options
  const nodeKey = generateEd25519()
  const id = nodeIdOf(publicKeyOf(nodeKey))
  const peers = createSwitch(
    {
      ...DEFAULT_SWITCH_OPTIONS,
      nodeKey,
      listen: { host: ip, port: 1 },
      persistentPeers: [],
      mconn: { ...DEFAULT_MCONN_OPTIONS, sendRate: 1e9, receiveRate: 1e9 },
    },
    {
      streams: hub.of(ip),
      reactors: [
        {
          name: 'hostile',
          channels: CHANNELS.map((channel) => ({
            id: channel,
            priority: 5,
            sendQueueCapacity: 100,
            receiveMessageCapacity: 200_000_000,
          })),
          addPeer: (peer) => options.onConnect?.(peer),
          removePeer: () => undefined,
          receive: (peer, channel, message) => {
            options.onMessage?.(peer, channel, message)
            return ACCEPT
          },
        },
      ],
      nodeInfo: () =>
        DefaultNodeInfo.create({
          protocolVersion: { p2p: 8n, block: 11n, app: 0n },
          defaultNodeId: id,
          listenAddr: `tcp://${ip}:1`,
          network: chainId,
          version: '0.38.25',
          channels: Uint8Array.from(CHANNELS),
          moniker: 'hostile',
        }),
      clock: createSystemClock(),
      random: createSystemRandom(),
    },
  )
  await peers.start()
  return {
    id,
    peers,
    send: async (channel, message) => {
      await Promise.all(peers.peers().map((peer) => peer.send(channel, message)))
    },
    dial: peers.dial,
    isConnected: () => peers.peers().length > 0,
    stop: peers.stop,
    [Symbol.asyncDispose]: peers.stop,
  }
}
