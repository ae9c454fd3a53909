import { once } from 'node:events'
import { connect } from 'node:net'
import { type Exchange, recordingLines } from '@org/golden'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { startRpc } from './start-rpc.ts'

/** Returns well-formed evidence that a client sent to a node in a recording. */
function recordedParams(): { readonly evidence: unknown } {
  const exchanges = recordingLines<Exchange>('kvstore-single/answers.jsonl')
  const found = exchanges.find(({ id }) => /post\/broadcast_evidence\/fake$/.test(id))
  return (JSON.parse(found?.request.body as string) as { params: { evidence: unknown } }).params
}

const call = (params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_evidence', params })

test('limit: evidence is decoded when the evidence before it is handled, over every transport', async () => {
  const params = recordedParams()
  let begun = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const addEvidence = async (): Promise<void> => {
    begun++
    await released
  }
  await using running = await startRpc({}, { evidence: { addEvidence } })
  const url = `http://127.0.0.1:${running.port}`
  const post = async (body: string): Promise<string> => (await fetch(url, { method: 'POST', body })).text()
  const first = post(call(params))
  await expect.poll(() => begun).toBe(1)

  // The following calls have evidence that cannot be decoded. Each of them must wait for the first call; otherwise the
  // node would refuse it at once.
  const answered: string[] = []
  const wait = async (name: string, answer: Promise<string>): Promise<string> => {
    const text = await answer
    answered.push(name)
    return text
  }
  const wrong = { evidence: { type: 'unknown', value: {} } }
  const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket`)
  const onSocket = new Promise<string>((resolve) => socket.on('message', (data) => resolve(String(data))))
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(call(wrong))
  const others = [
    wait('post', post(call(wrong))),
    wait(
      'uri',
      fetch(`${url}/broadcast_evidence?evidence=${JSON.stringify(wrong.evidence)}`).then((r) => r.text()),
    ),
    wait('websocket', onSocket),
  ]
  // While the calls with evidence wait, the node answers calls of another operation.
  for (let calls = 0; calls < 20; calls++) expect(await (await fetch(`${url}/health`)).text()).toContain('"result":{}')
  expect([begun, answered]).toEqual([1, []])
  release()
  expect(await first).toContain('"hash"')
  for (const text of await Promise.all(others)) expect(text).toContain('unknown type')
  socket.close()
})

test.each(['POST', 'URI', 'WebSocket'])(
  'limit: evidence that waits is released when its client disconnects: %s',
  async (transport) => {
    const params = recordedParams()
    let begun = 0
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const addEvidence = async (): Promise<void> => {
      begun++
      await released
    }
    await using running = await startRpc({}, { evidence: { addEvidence } })
    const { memory } = running.rpc
    const url = `http://127.0.0.1:${running.port}`
    const post = async (body: string): Promise<string> => (await fetch(url, { method: 'POST', body })).text()
    const first = post(call(params))
    await expect.poll(() => begun).toBe(1)
    const before = memory.held().requestBytes
    const gone = await sendWaiting(running.port, transport, params)
    await expect.poll(() => memory.held().requestBytes).toBeGreaterThan(before)
    gone()
    await expect.poll(() => memory.held().requestBytes).toBe(before)
    const last = post(call(params))
    release()
    expect([await first, await last]).toEqual([expect.stringContaining('"hash"'), expect.stringContaining('"hash"')])
    expect(begun).toBe(2)
  },
)

/** Sends a call with evidence. Returns a function that ends the connection at once. */
async function sendWaiting(
  port: number,
  transport: string,
  params: ReturnType<typeof recordedParams>,
): Promise<() => void> {
  if (transport === 'WebSocket') {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
    await once(socket, 'open')
    socket.send(call(params))
    return () => socket.terminate()
  }
  const body = transport === 'POST' ? call(params) : ''
  const target =
    body === '' ? `/broadcast_evidence?evidence=${encodeURIComponent(JSON.stringify(params.evidence))}` : '/'
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  return () => void socket.resetAndDestroy()
}
