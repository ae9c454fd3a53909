import { expect, test } from 'vitest'
import { startRpc } from './start-rpc.ts'

const MAX = 4096

/** A POST without `Content-Length`, whose body has `count` chunks. `sent` counts the chunks that were read. */
function chunked(count: number, chunk: Uint8Array): { readonly request: Request; readonly sent: () => number } {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent++ < count) controller.enqueue(chunk)
      else controller.close()
    },
  })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  return { request: new Request('http://127.0.0.1/', init), sent: () => sent }
}

test('error: the hono app stops reading a body without a length at the limit', async () => {
  await using running = await startRpc({ maxBodyBytes: MAX })
  const { request, sent } = chunked(10_000, new Uint8Array(1024))
  const response = await running.rpc.app.fetch(request)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('http: request body too large')
  expect(sent()).toBeLessThan(20)
})

test('default: the hono app reads a body that comes byte by byte', async () => {
  await using running = await startRpc({ maxBodyBytes: MAX })
  const call = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"health"}')
  const parts = [...call].values()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { value, done } = parts.next()
      if (done === true) controller.close()
      else controller.enqueue(Uint8Array.of(value))
    },
  })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  const response = await running.rpc.app.fetch(new Request('http://127.0.0.1/', init))
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})
