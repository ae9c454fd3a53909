import { connect, createServer, type Server, type Socket } from 'node:net'

// A separate process: it forwards connections on loopback, and delivers all bytes later by a fixed time in each
// direction, like `tc netem` on a kernel that has it. The order of the bytes stays, and the rate is not limited.

/** The input of the process, as JSON in its only argument. */
export interface DelayProxy {
  /** Milliseconds in each direction. */
  readonly delayMs: number
  /** The ports on loopback that connections are forwarded to. */
  readonly targets: readonly number[]
}

/** The line that the process writes when it is ready: one port for each target. */
export interface DelayProxyReady {
  readonly ports: readonly number[]
}

/** The bytes on their way in one direction of a connection. More are not read before some have arrived. */
const MAX_IN_FLIGHT = 32 * 1024 * 1024

/** Forwards what `from` receives to `to`, after the delay. */
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
