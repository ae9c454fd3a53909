import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, freePort, setTomlKeys, startNodeProcess } from '@org/golden'
import { createSystemClock, createSystemRandom } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { BlockSyncMessage } from '@org/types/messages'
import { DefaultNodeInfo } from '@org/types/p2p'
import { expect, test } from 'vitest'
import {
  createSwitch,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  nodeIdOf,
  type Reactor,
  type Switch,
  tcpStreams,
} from '../src/index.ts'

const cometbft = findProgram('cometbft', 'the p2p interop test')

const BLOCKSYNC = 0x40

test.skipIf(cometbft === undefined)(
  'behavior: the reference accepts Halley as a peer and answers on a channel',
  async () => {
    const binary = cometbft as string
    await using closing = new AsyncDisposableStack()
    const directory = await mkdtemp(join(tmpdir(), 'halley-p2p-'))
    closing.defer(() => rm(directory, { recursive: true, force: true }))
    const home = join(directory, 'home')
    execFileSync(binary, ['init', '--home', home])
    const [rpcPort, p2pPort] = [await freePort(), await freePort()]
    const file = join(home, 'config/config.toml')
    const config = { 'rpc.laddr': `"tcp://127.0.0.1:${rpcPort}"`, 'p2p.laddr': `"tcp://127.0.0.1:${p2pPort}"` }
    await writeFile(file, setTomlKeys(await readFile(file, 'utf8'), config))
    const args = ['start', '--home', home, '--proxy_app', 'kvstore']
    const node = startNodeProcess({ binary, args, home, rpcPort, logFile: join(directory, 'log') })
    closing.defer(node.kill)
    await node.ready()
    const answer = await fetch(`http://127.0.0.1:${rpcPort}/status`)
    const { result } = (await answer.json()) as { result: { node_info: { id: string; network: string } } }
    const { promise: height, resolve } = Promise.withResolvers<number>()
    const { promise: gone, resolve: removed } = Promise.withResolvers<void>()
    const reactor: Reactor = {
      name: 'blocksync',
      channels: [{ id: BLOCKSYNC, priority: 5, sendQueueCapacity: 1000 }],
      addPeer: (peer) =>
        void peer.send(BLOCKSYNC, BlockSyncMessage.encode({ sum: { case: 'statusRequest', value: {} } })),
      removePeer: () => removed(),
      receive: (_peer, _channel, bytes) => {
        const { sum } = BlockSyncMessage.decode(bytes)
        if (sum?.case === 'statusResponse' && sum.value.height > 0) resolve(sum.value.height)
        return { type: 'accept' }
      },
    }
    const nodeKey = generateEd25519()
    const nodeInfo = DefaultNodeInfo.create({
      protocolVersion: { p2p: 8n, block: 11n, app: 0n },
      defaultNodeId: nodeIdOf(publicKeyOf(nodeKey)),
      listenAddr: 'tcp://127.0.0.1:1',
      network: result.node_info.network,
      version: '0.38.25',
      channels: Uint8Array.of(BLOCKSYNC),
      moniker: 'halley',
    })
    const peers = createSwitch(
      { ...DEFAULT_SWITCH_OPTIONS, nodeKey, listen: undefined, persistentPeers: [], mconn: DEFAULT_MCONN_OPTIONS },
      {
        streams: tcpStreams,
        reactors: [reactor],
        nodeInfo: () => nodeInfo,
        clock: createSystemClock(),
        random: createSystemRandom(),
      },
    )
    closing.defer(peers.stop)
    await peers.start()
    await peers.dial({ id: result.node_info.id, ip: '127.0.0.1', port: p2pPort })
    expect(peers.counts()).toEqual({ outbound: 1, inbound: 0, dialling: 0 })
    const status = setInterval(() => {
      for (const peer of peers.peers())
        peer.trySend(BLOCKSYNC, BlockSyncMessage.encode({ sum: { case: 'statusRequest', value: {} } }))
    }, 300)
    expect(await height).toBeGreaterThan(0)
    clearInterval(status)
    const net = (await (await fetch(`http://127.0.0.1:${rpcPort}/net_info`)).json()) as {
      result: { n_peers: string }
    }
    expect(net.result.n_peers).toBe('1')
    await node.stop()
    await gone
    expect(peers.peers()).toEqual([])
  },
)

test.skipIf(cometbft === undefined)(
  'behavior: when the reference dials Halley, it sends its key first, and Halley waits for this key',
  async () => {
    const binary = cometbft as string
    await using closing = new AsyncDisposableStack()
    const directory = await mkdtemp(join(tmpdir(), 'halley-p2p-'))
    closing.defer(() => rm(directory, { recursive: true, force: true }))
    const home = join(directory, 'home')
    execFileSync(binary, ['init', '--home', home])
    const genesis = JSON.parse(await readFile(join(home, 'config/genesis.json'), 'utf8')) as { chain_id: string }
    const nodeKey = generateEd25519()
    const id = nodeIdOf(publicKeyOf(nodeKey))
    const { promise: height, resolve } = Promise.withResolvers<number>()
    const peers: Switch = createSwitch(
      {
        ...DEFAULT_SWITCH_OPTIONS,
        nodeKey,
        listen: { host: '127.0.0.1', port: 0 },
        persistentPeers: [],
        mconn: DEFAULT_MCONN_OPTIONS,
      },
      {
        streams: tcpStreams,
        reactors: [
          {
            name: 'blocksync',
            channels: [{ id: BLOCKSYNC, priority: 5, sendQueueCapacity: 10 }],
            addPeer: () => undefined,
            removePeer: () => undefined,
            receive: (_peer, _channel, bytes) => {
              const { sum } = BlockSyncMessage.decode(bytes)
              if (sum?.case === 'statusResponse') resolve(sum.value.height)
              return { type: 'accept' }
            },
          },
        ],
        nodeInfo: () =>
          DefaultNodeInfo.create({
            protocolVersion: { p2p: 8n, block: 11n, app: 0n },
            defaultNodeId: id,
            listenAddr: `tcp://127.0.0.1:${peers.listenAddress()?.port ?? 1}`,
            network: genesis.chain_id,
            version: '0.38.25',
            channels: Uint8Array.of(BLOCKSYNC),
            moniker: 'halley',
          }),
        clock: createSystemClock(),
        random: createSystemRandom(),
      },
    )
    closing.defer(peers.stop)
    await peers.start()
    const [rpcPort, p2pPort] = [await freePort(), await freePort()]
    const file = join(home, 'config/config.toml')
    const config = {
      'rpc.laddr': `"tcp://127.0.0.1:${rpcPort}"`,
      'p2p.laddr': `"tcp://127.0.0.1:${p2pPort}"`,
      'p2p.persistent_peers': `"${id}@127.0.0.1:${peers.listenAddress()?.port}"`,
      'p2p.addr_book_strict': 'false',
    }
    await writeFile(file, setTomlKeys(await readFile(file, 'utf8'), config))
    const args = ['start', '--home', home, '--proxy_app', 'kvstore']
    const node = startNodeProcess({ binary, args, home, rpcPort, logFile: join(directory, 'log') })
    closing.defer(node.kill)
    await node.ready()
    expect(await height).toBeGreaterThanOrEqual(0)
    expect(peers.counts()).toEqual({ outbound: 0, inbound: 1, dialling: 0 })
  },
)
