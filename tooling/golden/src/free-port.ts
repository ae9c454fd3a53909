import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/**
 * The range of the ports that the functions of this file return. The range ends below 32768, because the system uses
 * the ports from 32768 on for outgoing connections.
 */
const PORTS = { first: 12_000, end: 32_000 } as const

/**
 * The next port to try. A process begins at a random port and then tries the ports after it, so that two test processes
 * rarely choose the same port.
 */
let next = randomInt(PORTS.first, PORTS.end)

/** Resolves with a server that listens on `port` of the loopback address. */
function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

const close = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve))

/**
 * Returns the first of `count` consecutive ports of the loopback address. All of them are free at the moment. Rejects
 * if it finds no such ports in 100 attempts.
 */
export async function freePortRange(count: number): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (next + count > PORTS.end) next = PORTS.first
    const first = next
    next += count
    const results = await Promise.allSettled(Array.from({ length: count }, (_, i) => listen(first + i)))
    const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    await Promise.all(servers.map(close))
    if (servers.length === count) return first
  }
  throw new Error(`no ${count} consecutive free ports`)
}

/** Returns a port of the loopback address that is free at the moment. */
export const freePort = (): Promise<number> => freePortRange(1)
