import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeHome, type RunningNode, whenStarted } from './support/node.ts'
import { HALLEY, launch, temporaryFolder } from './support/process.ts'

/** Starts a node with a heap of at most `heapMegabytes` megabytes. */
async function startSmallNode(heapMegabytes: number, ...args: readonly string[]): Promise<RunningNode> {
  const home = await makeHome(temporaryFolder())
  const options = ['start', '--home', home, '--rpc.laddr=tcp://127.0.0.1:0', '--proxy_app=kvstore', ...args]
  return whenStarted(launch(HALLEY, options, { HALLEY_HEAP_MB: String(heapMegabytes) }))
}

interface Status {
  readonly sync_info: { readonly latest_block_height: string }
}

const heightOf = async ({ ask }: RunningNode): Promise<number> =>
  Number((await ask<Status>('/status')).sync_info.latest_block_height)

async function openWebSocket({ url }: RunningNode, onText: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  onTestFinished(() => socket.close())
  socket.addEventListener('message', ({ data }) => onText(String(data)))
  await once(socket, 'open')
  return socket
}

const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

describe('a node whose memory is small', () => {
  test('error: a node survives long calls that wait on 250 WebSockets, and logs the closed clients', {
    timeout: 120_000,
  }, async () => {
    const node = await startSmallNode(96, '--consensus.timeout_commit=2s')
    await node.reach(1)
    let refused = 0
    const sockets = []
    for (let i = 0; i < 250; i++)
      sockets.push(
        await openWebSocket(node, (text) => {
          if (text.includes('RPC_MEMORY')) refused++
        }),
      )
    const from = await heightOf(node)
    for (const [i, socket] of sockets.entries()) {
      // The node answers the first request when the next block is committed. Until then, the second request waits in
      // the node's memory.
      socket.send(call(1, 'broadcast_tx_commit', { tx: Buffer.from(`key${i}=value`).toString('base64') }))
      socket.send(call(2, 'health', { text: 'x'.repeat(990_000) }))
    }
    await node.reach(from + 3)
    expect(refused).toBeGreaterThan(0)
    expect(node.output()).toMatch(
      /Closed the connection of a client that used much memory .*client="WebSocket 127.0.0.1:\d+" .*RPC_MEMORY/,
    )
    expect(await node.ask('/health')).toEqual({})
    expect(await node.stop()).toBe(0)
  })

  test('error: a node whose application fills the heap survives: it refuses transactions, and makes blocks', {
    timeout: 180_000,
  }, async () => {
    const node = await startSmallNode(80, '--consensus.timeout_commit=100ms')
    await node.reach(1)
    const answers: string[] = []
    // The kvstore keeps each key in the heap, so transactions with long keys fill the heap.
    for (let i = 0; i < 1000 && answers.length < 20; i++) {
      const tx = Buffer.from(`${i}${'k'.repeat(300_000)}=v`).toString('base64')
      const answer = await fetch(node.url, { method: 'POST', body: call(i, 'broadcast_tx_sync', { tx }) })
      if (answer.status === 503) answers.push(await answer.text())
    }
    expect(answers.length).toBe(20)
    for (const answer of answers) expect(answer).toContain('RPC_MEMORY: the node is short of memory')
    const from = await heightOf(node)
    await node.reach(from + 20)
    expect(node.output()).toMatch(/The node is short of memory .*code=NODE_MEMORY .*space=heap/)
    expect(node.output()).toMatch(/Took an action .*measure="refuse new transactions"/)
    expect(await node.stop()).toBe(0)
  })
})
