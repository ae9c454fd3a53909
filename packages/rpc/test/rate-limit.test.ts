import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startRpc } from './start-rpc.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'health', params: {} }

async function expectRefusedOverWebSocket(port: number, refused: object): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  await once(socket, 'open')
  const answer = once(socket, 'message')
  socket.send(JSON.stringify(refused))
  expect(JSON.parse(String((await answer)[0]))).toMatchObject({ id: 1, error: { data: 'rate limit exceeded' } })
  socket.terminate()
}

test('behavior: calls over the limit are refused, batches are counted in full, probes are free', async () => {
  await using running = await startRpc({ rateLimit: 1, rateBurst: 4 })
  const url = `http://127.0.0.1:${running.port}`
  const batch = (size: number): Promise<Response> =>
    fetch(url, { method: 'POST', body: JSON.stringify(Array.from({ length: size }, () => call)) })
  expect((await batch(3)).status).toBe(200)
  const refused = await batch(2)
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { jsonrpc: '2.0', id: -1, error: { code: -32000, message: 'Server error', data: 'rate limit exceeded' } },
  ])
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await (await fetch(`${url}/health?profile=openapi`)).json()).toEqual({
    jsonrpc: '2.0',
    id: '',
    error: 'Server error: rate limit exceeded',
  })
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  await expectRefusedOverWebSocket(running.port, call)
})

test('behavior: a search costs more than another call, over HTTP, in batches and over WebSocket', async () => {
  await using running = await startRpc({ rateLimit: 1, rateBurst: 12 })
  const url = `http://127.0.0.1:${running.port}`
  expect((await fetch(`${url}/tx_search?query="a.b=1"`)).status).not.toBe(429)
  expect((await fetch(`${url}/tx_search?query="a.b=1"`)).status).toBe(429)
  const search = { ...call, method: 'tx_search' }
  expect((await fetch(url, { method: 'POST', body: JSON.stringify(search) })).status).toBe(429)
  expect((await fetch(url, { method: 'POST', body: JSON.stringify([call, search]) })).status).toBe(429)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  await expectRefusedOverWebSocket(running.port, search)
})

test('error: a cost that cannot be read is refused', async () => {
  await expect(startRpc({ rateCosts: ['tx_search'] })).rejects.toMatchObject({ code: 'RPC_CONFIG' })
})
