import {
  ACCEPT,
  createSwitch,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  dialTcp,
  type NetAddress,
  nodeIdOf,
  type Peer,
} from '@org/p2p'
import { createSystemClock, createSystemRandom } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'
import { onTestFinished } from 'vitest'

const CHANNELS = [0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x40, 0x60, 0x61] as const

/** A peer with a fresh key that sends any message that a test gives it. */
export interface Stranger {
  readonly id: string
  /** Queues a message. Returns false if the queue of the channel is full. */
  readonly send: (channel: number, message: Uint8Array) => boolean
}

export interface StrangerOptions {
  readonly to: NetAddress
  readonly chainId: string
  /** The maximum number of bytes per second that the peer sends. */
  readonly sendRate: number
}

/** Connects to a node, until the test ends. Rejects if the node refuses the connection. */
export async function connectStranger({ to, chainId, sendRate }: StrangerOptions): Promise<Stranger> {
  const nodeKey = generateEd25519()
  const id = nodeIdOf(publicKeyOf(nodeKey))
  let peer: Peer | undefined
  const peers = createSwitch(
    {
      ...DEFAULT_SWITCH_OPTIONS,
      nodeKey,
      listen: undefined,
      persistentPeers: [],
      mconn: { ...DEFAULT_MCONN_OPTIONS, sendRate },
    },
    {
      streams: {
        dial: ({ ip, port }) => dialTcp({ host: ip, port }, { timeoutMs: 5000 }),
        listen: () => Promise.reject(new Error('this peer only dials and does not listen')),
      },
      reactors: [
        {
          name: 'stranger',
          channels: CHANNELS.map((channel) => ({ id: channel, priority: 5, receiveMessageCapacity: 200_000_000 })),
          addPeer: (added) => {
            peer = added
          },
          removePeer: () => undefined,
          receive: () => ACCEPT,
        },
      ],
      nodeInfo: () =>
        DefaultNodeInfo.create({
          protocolVersion: { p2p: 8n, block: 11n, app: 0n },
          defaultNodeId: id,
          listenAddr: 'tcp://127.0.0.1:1',
          network: chainId,
          version: '0.38.25',
          channels: Uint8Array.from(CHANNELS),
          moniker: 'stranger',
        }),
      clock: createSystemClock(),
      random: createSystemRandom(),
    },
  )
  await peers.start()
  onTestFinished(() => peers.stop())
  await peers.dial(to)
  return { id, send: (channel, message) => peer?.trySend(channel, message) ?? false }
}
