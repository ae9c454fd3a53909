import { createServer } from 'node:net'

/** Returns a port of the loopback address that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('no free port')
}
