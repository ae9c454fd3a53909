import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'

const PAUSE_MS = 50
const ANSWER_MS = 2000

/** Sends a request on a connection of its own, and waits for the first bytes of the answer. */
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

const conditions = Array.from({ length: 60_000 }, (_, i) => `a.b=${i}`).join(' AND ')

export const RPC_ATTACKS: readonly Attack[] = [
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
