import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { makeHome, type RunningNode, startNode } from './support/node.ts'
import { temporaryFolder } from './support/process.ts'

interface Frame {
  readonly id: number
  readonly error?: { readonly data: string }
  readonly result?: {
    readonly data?: {
      readonly value: {
        readonly block?: { readonly header: { readonly height: string } }
        readonly TxResult?: { readonly height: string; readonly index?: number; readonly tx: string }
      }
    }
  }
}

interface Listener {
  readonly frames: Frame[]
  readonly until: (done: () => boolean) => Promise<void>
  readonly close: () => void
}

/** Subscribes over Node's own WebSocket; `onFrame` receives each message as soon as it arrives. */
async function listen(
  { url }: RunningNode,
  params: Record<string, string>,
  onFrame: (frame: Frame) => void = () => undefined,
): Promise<Listener> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  const frames: Frame[] = []
  let wake = (): void => undefined
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame
    frames.push(frame)
    onFrame(frame)
    wake()
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params }))
  return {
    frames,
    until: async (done) => {
      while (!done()) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => socket.close(),
  }
}

const heightsOf = ({ frames }: Listener): number[] =>
  frames.flatMap(({ result }) => {
    const height = result?.data?.value.block?.header.height
    return height === undefined ? [] : [Number(height)]
  })

async function call<T>({ url }: RunningNode, method: string, params: Record<string, unknown>): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = (await (await fetch(url, { method: 'POST', body })).json()) as {
    result?: T
    error?: unknown
  }
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result as T
}

async function heightOf(node: RunningNode): Promise<number> {
  const { sync_info: info } = await call<{ sync_info: { latest_block_height: string } }>(node, 'status', {})
  return Number(info.latest_block_height)
}

async function reach(node: RunningNode, height: number): Promise<void> {
  while ((await heightOf(node)) < height) await new Promise((resolve) => setImmediate(resolve))
}

const start = (home: string, ...more: readonly string[]): Promise<RunningNode> =>
  startNode(
    home,
    '--proxy_app=kvstore',
    '--consensus.timeout_commit=10ms',
    '--log_level=main:info,rpc-server:info,*:error',
    ...more,
  )

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hashOf = (tx: string): string => createHash('sha256').update(tx).digest('base64')

test('behavior: a subscription resumes while blocks are made: every height once, in order, also over a restart of the node', async () => {
  const home = await makeHome(temporaryFolder())
  const first = await start(home, '--proxy_app=persistent_kvstore')
  await reach(first, 20)
  const one = await listen(first, { query: "tm.event='NewBlock'", after_height: '3' })
  await one.until(() => heightsOf(one).length >= 40)
  const seen = heightsOf(one)
  one.close()
  await first.stop()
  const again = await start(home, '--proxy_app=persistent_kvstore')
  const two = await listen(again, { query: "tm.event='NewBlock'", after_height: String(seen.at(-1)) })
  await two.until(() => heightsOf(two).length >= 20)
  const all = [...seen, ...heightsOf(two)]
  expect(all).toEqual(range(4, all.length + 3))
  two.close()
  await again.stop()
})

test('behavior: server-sent events and polls return the same events as a subscription', async () => {
  const node = await start(await makeHome(temporaryFolder()))
  await reach(node, 2)
  for (let i = 0; i < 5; i++) await call(node, 'broadcast_tx_commit', { tx: base64(`k${i}=${i}`) })
  const top = await heightOf(node)
  const subscribed = await listen(node, { query: "tm.event='Tx'", after_height: '0' })
  await subscribed.until(() => subscribed.frames.length > 5)
  const wanted = subscribed.frames.slice(1, 6).map(({ result }) => result?.data)
  const query = encodeURIComponent("tm.event='Tx'")
  const poll = await fetch(`${node.url}/events?query=${query}&after=0&wait=0`)
  const { result } = (await poll.json()) as { result: { after: string; events: { id: string; data: unknown }[] } }
  expect(result.events.map(({ data }) => data)).toEqual(wanted)
  expect(Number.parseInt(result.after, 10)).toBeGreaterThanOrEqual(top)
  const headers = { accept: 'text/event-stream', 'last-event-id': result.events[1]?.id as string }
  const stream = await fetch(`${node.url}/events?query=${query}&after=0`, { headers })
  const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const got = (): unknown[] =>
    [...text.matchAll(/data: (.*)\n\n/g)].map(([, json]) => (JSON.parse(json as string) as { data: unknown }).data)
  while (got().length < 3) text += (await reader.read()).value
  expect(got()).toEqual(wanted.slice(2))
  await reader.cancel()
  const refused = await fetch(`${node.url}/events?query=${encodeURIComponent("tm.event='NewRound'")}`)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('EVENTS_NOT_RESUMABLE')
  subscribed.close()
  await node.stop()
})

test('behavior: a transaction can be found as soon as its event arrives', async () => {
  const node = await start(await makeHome(temporaryFolder()))
  await reach(node, 2)
  const questions: Promise<string[]>[] = []
  const listener = await listen(node, { query: "tm.event='Tx'" }, ({ result }) => {
    const found = result?.data?.value.TxResult
    if (found === undefined) return
    const tx = Buffer.from(found.tx, 'base64').toString()
    questions.push(
      Promise.all([
        call<{ height: string }>(node, 'tx', { hash: hashOf(tx) }).then(({ height }) => height),
        call<{ total_count: string }>(node, 'tx_search', { query: `app.key='${tx.split('=')[0]}'` }).then(
          (answer) => answer.total_count,
        ),
      ]).then(([height, count]) => [height === found.height ? 'same' : height, count]),
    )
  })
  for (let i = 0; i < 30; i++) {
    const tx = `r${i}=${i}`
    const { height } = await call<{ height: string }>(node, 'broadcast_tx_commit', { tx: base64(tx) })
    expect(await call(node, 'tx', { hash: hashOf(tx) })).toMatchObject({ height })
    expect(await call(node, 'tx_search', { query: `app.key='r${i}'` })).toMatchObject({ total_count: '1' })
  }
  await listener.until(() => questions.length === 30)
  expect(await Promise.all(questions)).toEqual(range(1, 30).map(() => ['same', '1']))
  listener.close()
  await node.stop()
})

test('behavior: clients that stop reading delay no block, and get an error or are closed', async () => {
  const node = await start(await makeHome(temporaryFolder()), '--rpc.max_client_bytes=65536')
  await reach(node, 2)
  const { port } = new URL(node.url)
  const lazy = await Promise.all(
    range(1, 5).map(async () => {
      const socket = connect({ host: '127.0.0.1', port: Number(port) })
      await once(socket, 'connect')
      socket.on('error', () => undefined)
      const text = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscribe',
        params: { query: "tm.event='NewBlock'" },
      })
      const frame = Buffer.concat([Buffer.from([0x81, 0x80 | 126, 0, text.length, 0, 0, 0, 0]), Buffer.from(text)])
      socket.write(
        'GET /websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      )
      await once(socket, 'data')
      socket.write(frame)
      await once(socket, 'data')
      return socket.pause()
    }),
  )
  const eager = await listen(node, { query: "tm.event='NewBlock'" })
  // The blocks are large, so that the buffers of the operating system are full soon.
  const value = 'v'.repeat(200_000)
  for (let i = 0; i < 40; i++) await call(node, 'broadcast_tx_commit', { tx: base64(`big${i}=${value}`) })
  const heights = heightsOf(eager)
  expect(heights).toEqual(range(heights[0] as number, heights.at(-1) as number))
  expect(heights.length).toBeGreaterThanOrEqual(40)
  const read = lazy.map(async (socket) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      // The error is at the end of the answer, so the last 2,000 characters are enough.
      text = (text + chunk.toString('latin1')).slice(-2000)
    })
    socket.resume()
    await once(socket, 'end')
    socket.destroy()
    return text
  })
  for (const text of await Promise.all(read)) expect(text).toMatch(/EVENTS_OVERFLOW: last delivered height \d+\)/)
  eager.close()
  await node.stop()
})
