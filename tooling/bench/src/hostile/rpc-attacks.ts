import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinSignals } from '@org/runtime'
import type { Attack } from './attack.ts'

const PAUSE_MS = 50
const ANSWER_MS = 2000

/** Opens a connection, sends a request, and waits for the first bytes of the answer. */
function ask(port: number, request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (): void => {
      socket.destroy()
      resolve()
    }
    socket.setTimeout(ANSWER_MS, end)
    socket.on('connect', () => socket.write(request))
    socket.on('data', end)
    socket.on('error', end)
    socket.on('close', () => resolve())
  })
}

/** Sends the same request again and again, each time on a new connection. */
function repeat(name: string, request: string): Attack {
  return {
    name,
    run: async ({ rpcPort }, signal) => {
      let sent = 0
      while (!signal.aborted) {
        await ask(rpcPort, request)
        sent += request.length
        await sleep(PAUSE_MS)
      }
      return sent
    },
  }
}

function post(body: string): string {
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/**
 * The number of clients that subscribe, and the number of subscriptions of each client. Both are the maximum that a
 * node with the default configuration permits.
 */
const SUBSCRIBERS = 100
const SUBSCRIPTIONS = 5
/**
 * All subscribers connect again each time this number of milliseconds has passed. For each subscriber, the node then
 * searches the events of all blocks again, from the first block on.
 */
const RESUME_EVERY_MS = 2000

/**
 * Opens a WebSocket that subscribes from the first block with queries that no event matches. Resolves with the number
 * of sent bytes.
 */
function subscribeFromStart(port: number, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
    let sent = 0
    const end = (): void => {
      socket.close()
      resolve(sent)
    }
    signal.addEventListener('abort', end, { once: true })
    socket.addEventListener('error', end)
    socket.addEventListener('open', () => {
      for (let id = 0; id < SUBSCRIPTIONS; id++) {
        const params = { query: `tm.event='NewBlock' AND block.none='${id}'`, after_height: '1' }
        const request = JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params })
        socket.send(request)
        sent += request.length
      }
    })
  })
}

const resumedSubscriptions: Attack = {
  name: 'resumed subscriptions',
  run: async ({ rpcPort }, signal) => {
    let sent = 0
    while (!signal.aborted) {
      const round = joinSignals(signal, AbortSignal.timeout(RESUME_EVERY_MS))
      const all = Array.from({ length: SUBSCRIBERS }, () => subscribeFromStart(rpcPort, round.signal))
      sent += (await Promise.all(all)).reduce((sum, one) => sum + one, 0)
      round.unlink()
      await sleep(PAUSE_MS)
    }
    return sent
  },
}

const conditions = Array.from({ length: 60_000 }, (_, i) => `a.b=${i}`).join(' AND ')

export const RPC_ATTACKS: readonly Attack[] = [
  resumedSubscriptions,
  repeat(
    'a header with blanks inside',
    `GET /health HTTP/1.1\r\nHost: localhost\r\nX: a${' '.repeat(60_000)}b\r\n\r\n`,
  ),
  repeat('many headers', `GET /health HTTP/1.1\r\nHost: localhost\r\n${'a:b\r\n'.repeat(50_000)}\r\n`),
  repeat(
    'a search with many conditions',
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'block_search', params: { query: conditions } })),
  ),
  repeat('a request with many members', post(`{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(',')}}`)),
]
