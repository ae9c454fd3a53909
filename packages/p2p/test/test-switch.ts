import { type Clock, createSystemClock, createSystemRandom } from '@org/runtime'
import { generateEd25519, type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'
import { onTestFinished } from 'vitest'
import {
  ACCEPT,
  createSwitch,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  type NetAddress,
  nodeIdOf,
  type Peer,
  type PexOptions,
  type Reactor,
  type StreamFactory,
  type Switch,
  type SwitchModules,
  type SwitchOptions,
} from '../src/index.ts'

export const CHANNEL = 0x77

/** The options of peer exchange in tests. The periods are the reference's. */
export const PEX_OPTIONS: PexOptions = {
  seedMode: false,
  seeds: [],
  maxOutboundPeers: 10,
  persistentPeersMaxDialPeriodMs: 0,
  ensurePeersPeriodMs: 30_000,
  seedDisconnectWaitMs: 60_000,
}

export interface TestSwitchOptions {
  readonly streams: StreamFactory
  readonly ip: string
  readonly listenPort?: number
  readonly key?: PrivateKey
  readonly clock?: Clock
  readonly receive?: Reactor['receive']
  /** The numbers of the channels. Default: one channel. */
  readonly channels?: readonly number[]
  readonly options?: Partial<SwitchOptions>
  readonly modules?: Partial<SwitchModules>
}

export interface TestSwitch {
  readonly peers: Switch
  readonly address: NetAddress
  readonly key: PrivateKey
  /** The ids of the peers that were added (`in`) and removed (`out`), in order. */
  readonly events: readonly (readonly ['in' | 'out', string])[]
  readonly first: () => Peer | undefined
}

/** Starts a switch with one reactor. The switch stops at the end of the test. */
export async function startSwitch(given: TestSwitchOptions): Promise<TestSwitch> {
  const { streams, ip, listenPort = 1, channels = [CHANNEL] } = given
  const key = given.key ?? generateEd25519()
  const id = nodeIdOf(publicKeyOf(key))
  const events: ['in' | 'out', string][] = []
  const peers: Switch = createSwitch(
    {
      ...DEFAULT_SWITCH_OPTIONS,
      nodeKey: key,
      listen: { host: ip, port: listenPort },
      persistentPeers: [],
      mconn: DEFAULT_MCONN_OPTIONS,
      dialJitterMs: 5,
      ...given.options,
    },
    {
      streams,
      reactors: [
        {
          name: 'test',
          channels: channels.map((id) => ({ id, priority: 1, sendQueueCapacity: 10, receiveMessageCapacity: 1000 })),
          addPeer: (peer) => void events.push(['in', peer.id]),
          removePeer: (peer) => void events.push(['out', peer.id]),
          receive: given.receive ?? (() => ACCEPT),
        },
      ],
      nodeInfo: () =>
        DefaultNodeInfo.create({
          protocolVersion: { p2p: 8n, block: 11n, app: 0n },
          defaultNodeId: id,
          listenAddr: `tcp://${ip}:${peers.listenAddress()?.port ?? listenPort}`,
          network: 'test',
          version: '0.38.25',
          channels: Uint8Array.from(channels),
          moniker: 'test',
        }),
      clock: given.clock ?? createSystemClock(),
      random: createSystemRandom(),
      ...given.modules,
    },
  )
  await peers.start()
  onTestFinished(() => peers.stop())
  const port = peers.listenAddress()?.port ?? listenPort
  return { peers, address: { id, ip, port }, key, events, first: () => peers.peers()[0] }
}
