import { once } from 'node:events'
import { connect } from 'node:net'
import { nextTurn } from '@org/runtime'
import { ResponseCheckTx } from '@org/types/abci'
import { bytesToUtf8 } from '@org/types/bytes'
import { expect, test } from 'vitest'
import type { Mempool } from '../src/index.ts'
import { createLeftBatches } from '../src/memory/left-batches.ts'
import { createDumpPorts } from './dump-ports.ts'
import { createMemoryEvents } from './memory-events.ts'
import { startRpc } from './start-rpc.ts'

/** Returns a batch with one call for each method. The calls have the transactions `tx0`, `tx1` and so on. */
const batchOf = (methods: readonly string[], padding: number) =>
  methods.map((method, id) => ({
    ...{ jsonrpc: '2.0', id, method },
    params: { tx: Buffer.from(`tx${id}`).toString('base64') },
    padding: ' '.repeat(padding),
  }))

// A request with a body of 16 KiB or more is large, and the node runs large requests in a different way.
test.each([0, 20_000])(
  'behavior: the transactions of a batch are sent although the client disconnects, padding %d',
  async (padding) => {
    const sent: string[] = []
    const { promise: checked, resolve: check } = Promise.withResolvers<ResponseCheckTx>()
    const mempool = {
      ...createDumpPorts('kvstore-single', { indexing: true }).mempool,
      checkTx: (tx: Uint8Array) => {
        sent.push(bytesToUtf8(tx))
        return sent.length === 1 ? checked : ResponseCheckTx.create()
      },
    } as unknown as Mempool
    await using running = await startRpc({}, { mempool, events: createMemoryEvents() })
    const socket = connect(running.port, '127.0.0.1')
    await once(socket, 'connect')
    const methods = ['broadcast_tx_sync', 'broadcast_tx_async', 'status', 'broadcast_tx_commit', 'broadcast_tx_sync']
    const body = JSON.stringify(batchOf(methods, padding))
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await expect.poll(() => sent).toEqual(['tx0'])
    socket.resetAndDestroy()
    // The first call ends only after the node has noticed that the client is gone.
    await expect.poll(() => running.rpc.memory.held().requestBytes).toBe(0)
    check(ResponseCheckTx.create())
    await expect.poll(() => sent).toEqual(['tx0', 'tx1', 'tx3', 'tx4'])
  },
)

test('limit: batches whose clients are gone have a limited number of bytes', () => {
  const { enter } = createLeftBatches(100 + 16 * 1024)
  const leave = enter(60)
  expect(enter(60)).toBeUndefined()
  leave?.()
  expect(enter(60)).toBeDefined()
})

test('limit: the heads of the requests count too, because the texts of a request keep them in memory', async () => {
  const CLIENTS = 300
  let sent = 0
  const { promise: checked, resolve: check } = Promise.withResolvers<ResponseCheckTx>()
  const mempool = {
    ...createDumpPorts('kvstore-single', { indexing: true }).mempool,
    checkTx: () => (++sent <= CLIENTS ? checked : ResponseCheckTx.create()),
  } as unknown as Mempool
  await using running = await startRpc({}, { mempool, events: createMemoryEvents() })
  const body = JSON.stringify(batchOf(['broadcast_tx_sync', 'broadcast_tx_sync'], 0))
  const head = `Host: localhost\r\nX: ${'x'.repeat(60_000)}\r\nContent-Length: ${body.length}`
  const sockets = Array.from({ length: CLIENTS }, () => {
    const socket = connect(running.port, '127.0.0.1')
    socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n${body}`)
    return socket
  })
  await expect.poll(() => sent, { timeout: 10_000 }).toBe(CLIENTS)
  for (const socket of sockets) socket.resetAndDestroy()
  await expect.poll(() => running.rpc.memory.held().requestBytes).toBe(0)
  check(ResponseCheckTx.create())
  await expect.poll(() => sent).toBeGreaterThan(CLIENTS)
  await nextTurn()
  // Each batch counts as the 60,000 bytes of its head and 16 KiB. All batches together may have 16 MiB.
  expect(sent - CLIENTS).toBeLessThanOrEqual(220)
})
