import { expect, test } from 'vitest'
import { createTestnet, type NetworkNode, reached } from './support/testnet.ts'

interface Flow {
  readonly Bytes: string
  readonly Samples: string
  readonly CurRate: string
  readonly AvgRate: string
  readonly PeakRate: string
}

interface NetInfo {
  readonly n_peers: string
  readonly peers: readonly {
    readonly node_info: { readonly id: string; readonly network: string; readonly channels: string }
    readonly is_outbound: boolean
    readonly remote_ip: string
    readonly connection_status: {
      readonly Duration: string
      readonly SendMonitor: Flow
      readonly Channels: readonly { readonly ID: number }[]
    }
  }[]
}

interface ConsensusDump {
  readonly peers: readonly {
    readonly node_address: string
    readonly peer_state: { readonly round_state: { readonly height: string } }
  }[]
}

test('behavior: peers are dialed over RPC, and net_info and dump_consensus_state show them correctly', async () => {
  const config = { 'rpc.unsafe': 'true', 'p2p.persistent_peers': '""' }
  const nodes = await createTestnet({ kinds: ['halley', 'halley'], validators: 1, config })
  const [first, second] = nodes as [NetworkNode, NetworkNode]
  for (const node of nodes) node.start()
  await reached(1, [first])
  expect((await first.rpc<NetInfo>('net_info')).n_peers).toBe('0')
  await reached(0, [second])
  const peer = `${second.id}@127.0.0.1:${second.p2pPort}`
  const called = await fetch(`http://127.0.0.1:${first.rpcPort}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dial_peers', params: { peers: [peer], persistent: true } }),
  })
  expect(await called.json()).toHaveProperty('result')
  await expect.poll(async () => (await first.rpc<NetInfo>('net_info')).n_peers, { timeout: 30_000 }).toBe('1')
  const { peers } = await first.rpc<NetInfo>('net_info')
  expect(peers[0]).toMatchObject({ node_info: { id: second.id }, is_outbound: true, remote_ip: '127.0.0.1' })
  expect(peers[0]?.connection_status.Channels.map(({ ID }) => ID).sort((a, b) => a - b)).toEqual([
    0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x40, 0x60, 0x61,
  ])
  const back = await second.rpc<NetInfo>('net_info')
  expect(back.peers[0]).toMatchObject({ node_info: { id: first.id }, is_outbound: false })
  await reached(20, nodes)
  // The node measures the bytes that it sends over the connection, and their rate.
  const flowOf = async (): Promise<Flow | undefined> =>
    (await first.rpc<NetInfo>('net_info')).peers[0]?.connection_status.SendMonitor
  for (const key of ['CurRate', 'AvgRate', 'PeakRate'] as const) {
    await expect.poll(async () => Number((await flowOf())?.[key]), { timeout: 20_000 }).toBeGreaterThan(0)
  }
  await expect.poll(async () => Number((await flowOf())?.Bytes), { timeout: 20_000 }).toBeGreaterThan(1000)
  await expect.poll(async () => Number((await flowOf())?.Samples), { timeout: 20_000 }).toBeGreaterThan(3)
  // The second node reports its height to the first node when it changes from block sync to consensus.
  const peerState = async (): Promise<ConsensusDump['peers'][number] | undefined> =>
    (await first.rpc<ConsensusDump>('dump_consensus_state')).peers[0]
  await expect
    .poll(async () => Number((await peerState())?.peer_state.round_state.height), { timeout: 20_000 })
    .toBeGreaterThan(10)
  expect((await peerState())?.node_address).toBe(peer)

  // A persistent peer is dialed again.
  await second.stop('SIGKILL')
  await expect.poll(async () => (await first.rpc<NetInfo>('net_info')).n_peers, { timeout: 20_000 }).toBe('0')
  second.start()
  await expect.poll(async () => (await first.rpc<NetInfo>('net_info')).n_peers, { timeout: 20_000 }).toBe('1')
}, 150_000)
