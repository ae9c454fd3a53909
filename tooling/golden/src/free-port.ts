import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Resolves with a server that listens on the port of the loopback address. Port 0: the system chooses a free port. */
function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

const close = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve))

/** Returns a port of the loopback address that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = await listen(0)
  const address = server.address()
  await close(server)
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('no free port')
}

/** The ports from which the ranges are taken. The system gives ports from 32768 on to outgoing connections. */
const RANGES = { first: 12_000, end: 32_000 } as const

/**
 * Returns the first of `count` consecutive ports of the loopback address. All of them are free at the moment. Rejects
 * if it finds no such ports in 100 attempts.
 */
export async function freePortRange(count: number): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const first = randomInt(RANGES.first, RANGES.end - count)
    const ports = Array.from({ length: count }, (_, i) => first + i)
    const results = await Promise.allSettled(ports.map(listen))
    const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    await Promise.all(servers.map(close))
    if (servers.length === count) return first
  }
  throw new Error(`no ${count} consecutive free ports`)
}
