import { connect, createServer, type Server, type Socket } from 'node:net'

// A program that runs as a separate process. It forwards connections on loopback, and delays all bytes by a fixed time
// in each direction. The command `tc netem` could also delay the bytes, but not every kernel supports it. The order of
// the bytes does not change, and the rate is not limited.

/** The options of the process, as JSON in its only argument. */
export interface DelayProxy {
  /** The delay in each direction, in milliseconds. */
  readonly delayMs: number
  /** The ports on loopback to which the proxy forwards connections. */
  readonly targets: readonly number[]
}

/** The line that the process writes when it is ready. For each target, it has the port on which the proxy listens. */
export interface DelayProxyReady {
  readonly ports: readonly number[]
}

/**
 * The maximum number of bytes that are delayed at the same time in one direction of a connection. When the maximum is
 * reached, the proxy reads no further bytes until it has delivered some bytes.
 */
const MAX_IN_FLIGHT = 32 * 1024 * 1024

/** Copies all bytes from the socket `from` to the socket `to`, after the delay. */
function forward(from: Socket, to: Socket, delayMs: number): void {
  let inFlight = 0
  const resume = (): void => {
    if (inFlight < MAX_IN_FLIGHT && !to.writableNeedDrain) from.resume()
  }
  from.on('data', (bytes: Buffer) => {
    inFlight += bytes.length
    if (inFlight >= MAX_IN_FLIGHT) from.pause()
    setTimeout(() => {
      inFlight -= bytes.length
      if (to.writable && !to.write(bytes)) from.pause()
      resume()
    }, delayMs)
  })
  to.on('drain', resume)
  from.on('error', () => undefined)
  from.on('end', () => setTimeout(() => to.end(), delayMs))
  from.on('close', () => setTimeout(() => to.destroy(), 2 * delayMs))
}

function listen(target: number, delayMs: number): Promise<Server> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    forward(near, far, delayMs)
    forward(far, near, delayMs)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

async function main({ delayMs, targets }: DelayProxy): Promise<void> {
  const servers = await Promise.all(targets.map((target) => listen(target, delayMs)))
  const ready: DelayProxyReady = {
    ports: servers.map((server) => (server.address() as { readonly port: number }).port),
  }
  console.log(JSON.stringify(ready))
}

await main(JSON.parse(process.argv[2] as string) as DelayProxy)
