import {
  ACCEPT,
  createSwitch,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  dialTcp,
  type NetAddress,
  nodeIdOf,
  type Peer,
  type Switch,
} from '@org/p2p'
import { createDeferred, createSystemClock, createSystemRandom } from '@org/runtime'
import { BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from '@org/types'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'

const CHANNELS = [0x00, 0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x40, 0x60, 0x61] as const
const DIAL_TIMEOUT_MS = 5000
const MAX_MESSAGE_BYTES = 200_000_000

/**
 * An unknown peer: a peer with a new key, which no node has seen before. It speaks the P2P protocol, and sends any
 * message that the test gives it.
 */
export interface UnknownPeer extends AsyncDisposable {
  /**
   * Sends a message, and waits while the send queue of the channel is full. Resolves with false if the node closed the
   * connection.
   */
  readonly send: (channel: number, message: Uint8Array) => Promise<boolean>
  /** Queues a message. Returns false if the send queue of the channel is full. */
  readonly trySend: (channel: number, message: Uint8Array) => boolean
  readonly isConnected: () => boolean
  /** Resolves when the node has sent its first message to this peer. Then the node has added this peer. */
  readonly admitted: Promise<void>
  /** The number of encrypted bytes that were written to the connection. Messages in the send queue do not count. */
  readonly sentBytes: () => number
  readonly stop: () => Promise<void>
}

export interface UnknownPeerOptions {
  readonly to: NetAddress
  readonly chainId: string
  /** The maximum number of bytes per second that the peer sends. */
  readonly sendRate: number
}

/** Connects to a node as a peer with a new key. Rejects if the node refuses the connection. */
export async function createUnknownPeer({ to, chainId, sendRate }: UnknownPeerOptions): Promise<UnknownPeer> {
  const nodeKey = generateEd25519()
  let peer: Peer | undefined
  let written = 0
  const admission = createDeferred<void>()
  const peers: Switch = createSwitch(
    {
      ...DEFAULT_SWITCH_OPTIONS,
      nodeKey,
      listen: undefined,
      persistentPeers: [],
      mconn: { ...DEFAULT_MCONN_OPTIONS, sendRate },
    },
    {
      streams: {
        dial: async ({ ip, port }) => {
          const transport = await dialTcp({ host: ip, port }, { timeoutMs: DIAL_TIMEOUT_MS })
          const write = (bytes: Uint8Array): boolean => {
            written += bytes.length
            return transport.write(bytes)
          }
          return { ...transport, write }
        },
        listen: () => Promise.reject(new Error('this peer only dials and does not listen')),
      },
      reactors: [
        {
          name: 'stranger',
          channels: CHANNELS.map((id) => ({
            id,
            priority: 5,
            sendQueueCapacity: 2,
            receiveMessageCapacity: MAX_MESSAGE_BYTES,
          })),
          addPeer: (added) => {
            peer = added
          },
          removePeer: () => undefined,
          receive: () => {
            admission.resolve()
            return ACCEPT
          },
        },
      ],
      nodeInfo: () =>
        DefaultNodeInfo.create({
          protocolVersion: { p2p: P2P_PROTOCOL, block: BLOCK_PROTOCOL, app: 0n },
          defaultNodeId: nodeIdOf(publicKeyOf(nodeKey)),
          listenAddr: 'tcp://127.0.0.1:1',
          network: chainId,
          version: SOFTWARE_VERSION,
          channels: Uint8Array.from(CHANNELS),
          moniker: 'stranger',
        }),
      clock: createSystemClock(),
      random: createSystemRandom(),
    },
  )
  await peers.start()
  try {
    await peers.dial(to)
  } catch (error) {
    await peers.stop()
    throw error
  }
  return {
    send: async (channel, message) => (await peer?.send(channel, message)) ?? false,
    trySend: (channel, message) => peer?.trySend(channel, message) ?? false,
    isConnected: () => peers.peers().length > 0,
    admitted: admission.promise,
    sentBytes: () => written,
    stop: peers.stop,
    [Symbol.asyncDispose]: peers.stop,
  }
}
