import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeHome, type RunningNode, startNode } from './support/node.ts'
import { temporaryFolder } from './support/process.ts'

/**
 * The maximum number of files that a process may have open. Each connection uses one file in the node and one file in
 * the test.
 */
const OPEN_FILES = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY
const IDLE = Math.min(10_000, OPEN_FILES - 1000)
if (IDLE < 10_000)
  console.log(`10,000 idle connections: ${IDLE}, as this machine lets a process have ${OPEN_FILES} open files`)

const FAST = ['--proxy_app=kvstore', '--consensus.timeout_commit=20ms', '--mempool.size=100'] as const
/**
 * The maximum memory of the node. An idle node needs less. A node that stored all bytes of the attack would need more.
 */
const MAX_MEGABYTES = 500

interface Status {
  readonly sync_info: { readonly latest_block_height: string }
}

const heightOf = async ({ ask }: RunningNode): Promise<number> =>
  Number((await ask<Status>('/status')).sync_info.latest_block_height)

const portOf = ({ url }: RunningNode): number => Number(new URL(url).port)

function megabytesOf({ child }: RunningNode): number {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Whether the connection is open for reading and for writing. */
const isOpen = ({ destroyed, readableEnded }: Socket): boolean => !destroyed && !readableEnded

async function openMany(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  // The kernel's queue of new connections is short, so the connections are opened in groups.
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(200, count - sockets.length) }, () => open(port)))),
    )
  return sockets
}

/** Reads until `isWhole` returns true, or the node closes the connection. Resolves with the text that was read. */
function read(socket: Socket, isWhole: (text: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (isWhole(text)) resolve(text)
    })
    socket.once('close', () => resolve(text))
  })
}

const post = async ({ url }: RunningNode, body: string): Promise<string> =>
  (await fetch(url, { method: 'POST', body })).text()

/** Attacks a node. Its chain must continue during the attack. After the attack, the node must work as before. */
async function undisturbed(args: readonly string[], abuse: (node: RunningNode) => Promise<void>): Promise<void> {
  const node = await startNode(await makeHome(temporaryFolder()), ...FAST, ...args)
  await node.reach(2)
  const before = await heightOf(node)
  await abuse(node)
  await node.reach(before + 3)
  expect(megabytesOf(node)).toBeLessThan(MAX_MEGABYTES)
  expect(await node.ask('/health')).toEqual({})
  expect(await node.stop()).toBe(0)
}

describe('a node that is abused', () => {
  test('behavior: requests that never end are closed, others are answered', { timeout: 90_000 }, async () => {
    await undisturbed([], async (node) => {
      const sockets = await openMany(portOf(node), 300)
      const closed = sockets.map((socket) => {
        socket.resume()
        return once(socket, 'close')
      })
      for (const [i, socket] of sockets.entries())
        socket.write(
          i % 2 === 0 ? 'GET /health HT' : 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{',
        )
      const start = await heightOf(node)
      // Each client sends a single byte every second. The node must disconnect these clients, too.
      const timer = setInterval(() => {
        for (const socket of sockets) if (!socket.destroyed) socket.write('x')
      }, 1000)
      onTestFinished(() => clearInterval(timer))
      await node.reach(start + 5)
      for (const socket of sockets) socket.on('end', () => socket.destroy())
      await Promise.all(closed)
      clearInterval(timer)
    })
  })

  test('behavior: connections that a client has half closed do not disturb the node', async () => {
    await undisturbed([], async (node) => {
      const sockets = await openMany(portOf(node), 300)
      // Each client closes the sending side of its connection. Half of the clients do this in the middle of a request,
      // and get no answer. The other clients do this after a complete request, and get the answer.
      const answers = sockets.map((socket, i) => {
        const answer = read(socket, (text) => text.includes('"result":{}'))
        socket.end(i % 2 === 0 ? 'GET /hea' : 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
        return answer
      })
      for (const [i, answer] of (await Promise.all(answers)).entries())
        expect(answer.includes('"result":{}')).toBe(i % 2 === 1)
      const start = await heightOf(node)
      await node.reach(start + 5)
    })
  })

  test('behavior: 2,000 requests at once on one connection are answered in order', async () => {
    await undisturbed([], async (node) => {
      const socket = await open(portOf(node))
      const count = 2000
      const bodies = Array.from(
        { length: count },
        (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"health","params":{}}`,
      )
      const whole = read(socket, (text) => text.includes(`"id":${count - 1},`))
      for (const body of bodies)
        socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      const ids = [...(await whole).matchAll(/"id":(\d+),"result":\{\}/g)].map(([, id]) => Number(id))
      expect(ids).toEqual(Array.from({ length: count }, (_, id) => id))
    })
  })

  test(`behavior: ${IDLE.toLocaleString('en')} idle connections stay open if no limit is set`, async () => {
    await undisturbed(['--rpc.max_open_connections=0'], async (node) => {
      const sockets = await openMany(portOf(node), IDLE)
      expect(sockets.filter(isOpen).length).toBe(IDLE)
      const start = await heightOf(node)
      await node.reach(start + 5)
      const last = sockets.at(-1) as Socket
      const answer = read(last, (text) => text.includes('"result":{}'))
      last.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
      expect(await answer).toContain('"result":{}')
      for (const socket of sockets) socket.destroy()
    })
  })

  test('behavior: connections above the limit wait, and connections for which the queue has no room are closed', {
    timeout: 180_000,
  }, async () => {
    await undisturbed([], async (node) => {
      const heights = watchHeights(node)
      await expect.poll(heights.height, { timeout: 20_000 }).toBeGreaterThan(0)
      const sockets = await openMany(portOf(node), Math.min(4000, IDLE))
      for (const socket of sockets) socket.resume()
      // The node serves 900 connections. It lets 1,024 further connections wait, and closes all others.
      const left = (): number => sockets.filter(isOpen).length
      await expect.poll(left, { timeout: 60_000 }).toBeLessThan(1925)
      const from = heights.height()
      await expect.poll(heights.height, { timeout: 60_000 }).toBeGreaterThanOrEqual(from + 5)
      for (const socket of sockets) socket.destroy()
      await heights.stop()
    })
  })

  test('error: JSON that is too deep, too long, or has too many values is refused with a code', async () => {
    await undisturbed([], async (node) => {
      const call = '{"jsonrpc":"2.0","id":1,"method":"health"}'
      const cases: readonly (readonly [string, string])[] = [
        ['['.repeat(100_000), '"code":-32700'],
        [`{"id":1,"method":"block","params":${'{"height":'.repeat(90_000)}`, '"code":-32700'],
        [`{"id":${'9'.repeat(990_000)},"method":"health"}`, '"code":-32700'],
        [`{"id":1,"method":"block","params":{"height":"${'9'.repeat(990_000)}"}}`, '"code":-32602'],
        [`{"id":${'9'.repeat(1_000_001)},"method":"health"}`, 'request body too large'],
        [`[${Array.from({ length: 10_000 }, () => call).join(',')}]`, 'batch request exceeds maximum (10)'],
      ]
      for (let round = 0; round < 5; round++)
        for (const answer of await Promise.all(
          cases.map(async ([body, part]) => [await post(node, body), part] as const),
        ))
          expect(answer[0].slice(0, 300)).toContain(answer[1])
    })
  })
})

/** Asks for the height again and again over one connection. New connections might have to wait during the attack. */
function watchHeights(node: RunningNode) {
  const socket = connect(portOf(node), '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  let height = 0
  let text = ''
  const ask = (): void => void socket.write('GET /abci_info HTTP/1.1\r\nHost: localhost\r\n\r\n')
  socket.on('connect', ask)
  socket.on('data', (data) => {
    text += data.toString('latin1')
    const found = /last_block_height":"(\d+)".*\}\}\}/s.exec(text)
    if (found === null) return
    height = Number(found[1])
    text = ''
    setTimeout(ask, 50)
  })
  return {
    height: () => height,
    stop: async (): Promise<void> => {
      socket.destroy()
      await once(socket, 'close')
    },
  }
}
