import { once } from 'node:events'
import { createUnknownPeer } from '@org/test-kit/unknown-peer'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome, whenStarted } from './support/node.ts'
import { HALLEY, launch, temporaryFolder } from './support/process.ts'

const HEAP_MEGABYTES = '96'
/** The number of bytes that the node's process may use. Without an attack, the node uses about half of them. */
const PROCESS_BYTES = 200_000_000
/** The number of peers that attack the node. All their messages together have more bytes than the process may use. */
const PEERS = 40
const CHANNELS = [0x20, 0x21, 0x22, 0x23, 0x30, 0x38] as const
const LONG_MESSAGE = new Uint8Array(1_000_000)
/** The number of bytes that each peer sends per second. At this rate, the messages of one peer take several seconds. */
const SEND_RATE = 700_000
const CLIENTS = 60

interface Status {
  readonly node_info: { readonly id: string; readonly network: string }
  readonly sync_info: { readonly latest_block_height: string }
}

const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

test('error: a node with little memory survives peers with unfinished messages and clients with long requests', {
  timeout: 60_000,
}, async () => {
  const home = await makeHome(temporaryFolder())
  const options = ['--rpc.laddr=tcp://127.0.0.1:0', '--proxy_app=kvstore', '--consensus.timeout_commit=500ms']
  const environment = {
    HALLEY_HEAP_MB: HEAP_MEGABYTES,
    HALLEY_MAX_MEMORY_BYTES: String(PROCESS_BYTES),
    HALLEY_P2P_ALLOW_DUPLICATE_IP: 'true',
  }
  const node = await whenStarted(launch(HALLEY, ['start', '--home', home, ...options], environment))
  await node.reach(1)
  const { node_info: info } = await node.ask<Status>('/status')
  const port = Number(/p2p=\S+:(\d+)/.exec(node.output())?.[1])
  const to = { id: info.id, ip: '127.0.0.1', port }

  const refusals: string[] = []
  for (let i = 0; i < CLIENTS; i++) {
    const socket = new WebSocket(`${node.url.replace('http', 'ws')}/websocket`)
    onTestFinished(() => socket.close())
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes('RPC_MEMORY')) refusals.push(String(data))
    })
    await once(socket, 'open')
    // The node answers the first request when the next block is committed. Until then, the second request waits in the
    // node's memory.
    socket.send(call(1, 'broadcast_tx_commit', { tx: Buffer.from(`key${i}=value`).toString('base64') }))
    socket.send(call(2, 'health', { text: 'x'.repeat(900_000) }))
  }
  for (let i = 0; i < PEERS; i++) {
    const stranger = await createUnknownPeer({ to, chainId: info.network, sendRate: SEND_RATE })
    onTestFinished(stranger.stop)
    for (const channel of CHANNELS) stranger.trySend(channel, LONG_MESSAGE)
  }
  await node.saw(
    /Took an action .*measure="close the connections of the peers that hold the most memory".* freed=[1-9]/,
  )
  const { sync_info: before } = await node.ask<Status>('/status')
  await node.reach(Number(before.latest_block_height) + 3)
  expect(refusals.length).toBeGreaterThan(0)
  expect(node.output()).toMatch(
    /Stopping peer for error .*peer=[0-9a-f]{40} code=NODE_MEMORY err="the node is short of memory, and this peer holds \d+ bytes"/,
  )
  expect(await node.ask('/health')).toEqual({})
  expect(await node.stop()).toBe(0)
})
