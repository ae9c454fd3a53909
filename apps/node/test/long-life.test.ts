import { getEventListeners, once } from 'node:events'
import { createHttpProvider, createLightClient, createMemoryLightStore } from '@org/light'
import { createSystemClock, createSystemRandom, noopLogger } from '@org/runtime'
import { countLiveObjects } from '@org/test-kit'
import { createUnknownPeer } from '@org/test-kit/unknown-peer'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { initHome } from '../src/home/init-home.ts'
import { openHome } from '../src/home/open-home.ts'
import { createNode, type Node } from '../src/node/create-node.ts'
import { resultOf } from './support/light.ts'
import { temporaryFolder } from './support/process.ts'

/**
 * The classes whose live objects are counted. Each client that connects to the node makes some objects of these
 * classes.
 */
const CLASSES = [AbortSignal, Function]
const HOUR_NS = 3_600_000_000_000n

/** Starts a node in this process. It makes no block while there is no transaction. */
async function startNode(): Promise<{ readonly node: Node; readonly url: string }> {
  const [clock, random] = [createSystemClock(), createSystemRandom()]
  const flags = new Map([
    ['rpc.laddr', 'tcp://127.0.0.1:0'],
    ['p2p.laddr', 'tcp://127.0.0.1:0'],
    ['p2p.allow_duplicate_ip', 'true'],
    ['consensus.create_empty_blocks', 'false'],
  ])
  const home = openHome({ home: temporaryFolder(), flags, env: {}, interactive: false, clock }, { create: true })
  await initHome(home.paths, { logger: noopLogger, random, now: clock.now(), appState: undefined })
  const node = createNode(
    { ...home, logger: noopLogger },
    {
      ...{ clock, random, interactive: false, locking: undefined },
      heapGrowth: { onTransaction: () => undefined, onTransfer: () => undefined, onReplay: () => undefined },
      application: { connection: { kind: 'local', app: {} }, close: () => Promise.resolve() },
    },
  )
  onTestFinished(node.stop)
  await node.start(new AbortController().signal)
  await expect.poll(node.height).toBeGreaterThan(0)
  return { node, url: node.rpcUrls()[0] ?? '' }
}

/** Sends requests that the node answers, and requests that the node refuses. */
async function request(url: string): Promise<void> {
  for (const path of [
    '/status',
    '/block?height=1',
    '/validators',
    '/abci_query?path="a"',
    '/block?height=99',
    '/nothing',
  ])
    await (await fetch(`${url}${path}`)).text()
}

/** Opens a WebSocket and subscribes. Closes the WebSocket without an unsubscribe. */
async function subscribe(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='Tx'" } }))
  await once(socket, 'message')
  socket.close()
  await once(socket, 'close')
}

/** Connects a peer with a new key, and then disconnects it. */
async function connectPeer(node: Node): Promise<void> {
  const to = node.peerAddress()
  if (to === undefined) throw new Error('the node does not listen for peers')
  await using stranger = await createUnknownPeer({ to, chainId: node.chainId(), sendRate: 1_000_000 })
  await stranger.admitted
}

/**
 * Verifies a header of the node with a new light client. The caller keeps `signal`. So if the light client leaves a
 * listener on `signal`, the listener stays in memory, and the test finds it.
 */
async function verify(url: string, chainId: string, signal: AbortSignal): Promise<void> {
  const { block_id: id } = await resultOf<{ block_id: { hash: string } }>(url, '/block?height=1')
  const provider = (): ReturnType<typeof createHttpProvider> => createHttpProvider({ url, chainId })
  const client = await createLightClient(
    { chainId, trustingPeriod: HOUR_NS, trust: { height: 1, hash: Buffer.from(id.hash, 'hex') } },
    { primary: provider(), witnesses: [provider()], store: createMemoryLightStore() },
  )
  await client.verifyAtHeight(2, { signal })
}

/** The number of times that each kind of client visits the node before the first measurement. */
const FIRST_VISITS = 20
/** The number of times that each kind of client visits the node between two measurements. */
const VISITS = 150
/**
 * The maximum number of objects of one class that may stay in memory after {@link VISITS} visits of one kind of client.
 * An open connection has less than 100 objects, so it does not exceed this limit. If each visit leaves one object in
 * memory, the number of objects exceeds the limit.
 */
const MAX_ADDED = 110

/**
 * Calls `visit` {@link VISITS} times: each call is one visit of a client to the node. Returns a text for each class
 * that then has over {@link MAX_ADDED} more objects in memory than before.
 */
async function addedBy(visit: () => Promise<void>): Promise<string[]> {
  const before = await countLiveObjects(CLASSES)
  for (let i = 0; i < VISITS; i++) await visit()
  const after = await countLiveObjects(CLASSES)
  return Object.entries(after)
    .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
    .filter(([, added]) => added > MAX_ADDED)
    .map(([name, added]) => `${added} objects of ${name}`)
}

test('behavior: a node keeps no objects of the clients, subscribers, peers and light clients that have left', {
  // Each count takes about a second, because V8 walks through the whole heap.
  timeout: 180_000,
}, async () => {
  const { node, url } = await startNode()
  await resultOf(url, '/broadcast_tx_commit?tx="a=b"')
  await expect.poll(node.height).toBeGreaterThan(1)
  const { signal } = new AbortController()
  const kinds: readonly (readonly [name: string, visit: () => Promise<void>])[] = [
    ['client', () => request(url)],
    ['subscriber', () => subscribe(url)],
    ['peer', () => connectPeer(node)],
    ['light client', () => verify(url, node.chainId(), signal)],
  ]
  // Before the first measurement, the process loads all code and fills its caches.
  for (const [, visit] of kinds) for (let i = 0; i < FIRST_VISITS; i++) await visit()
  const kept: string[] = []
  for (const [name, visit] of kinds) {
    // If each visit of a client keeps an object in memory, both measurements find it. A connection that is still open,
    // or code that the process loads late, is found in one measurement at most.
    const first = await addedBy(visit)
    const added = first.length === 0 ? [] : await addedBy(visit)
    kept.push(...added.map((text) => `${text} after ${VISITS} visits of a ${name}`))
  }
  expect(kept).toEqual([])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
