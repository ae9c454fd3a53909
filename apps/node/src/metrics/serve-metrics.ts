import { createServer, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { type Logger, oldestOfLargestGroup, type Service } from '@org/runtime'
import { subnetOf } from '@org/runtime/sockets'
import type { PrometheusMetrics } from './create-metrics.ts'

export interface MetricsServerOptions {
  /** The address to listen on, such as `:26660`, `127.0.0.1:26660` or `[::1]:26660`. */
  readonly address: string
  /** The maximum number of concurrent requests; further ones get 503. 0: no limit. */
  readonly maxRequests: number
}

/** The maximum number of connections. A program that reads the metrics needs only one connection. */
export const MAX_CONNECTIONS = 64
const MAX_HEADER_BYTES = 16 * 1024

/**
 * The time limits of a request in milliseconds: for its headers, and for the whole request.
 * `connectionsCheckingInterval` is the time between two checks of these limits.
 */
export interface MetricsTimeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
}

export const METRICS_TIMEOUTS: MetricsTimeouts = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5000,
}

function parseAddress(address: string): { readonly host: string | undefined; readonly port: number } {
  const at = address.lastIndexOf(':')
  const host = address.slice(0, Math.max(at, 0)).replace(/^\[|\]$/g, '')
  return { host: host === '' ? undefined : host, port: Number(address.slice(at + 1)) }
}

/**
 * Limits the number of open connections. Above the limit, the oldest connection of the network with the most
 * connections is closed. A network is an IPv4 address or an IPv6 /64 network. So a stranger with many silent
 * connections does not keep other clients out.
 */
export function limitConnections(server: Pick<Server, 'on'>): void {
  const open = new Map<Socket, string>()
  server.on('connection', (socket) => {
    open.set(socket, subnetOf(`${socket.remoteAddress}:${socket.remotePort}`))
    socket.once('close', () => open.delete(socket))
    if (open.size <= MAX_CONNECTIONS) return
    const victim = oldestOfLargestGroup(open.keys(), (each) => open.get(each) ?? '') ?? socket
    open.delete(victim)
    victim.destroy()
  })
}

/**
 * Serves the metrics on every path. If the port is in use, the node logs this error and continues without metrics, as
 * the reference does.
 */
export function createMetricsServer(
  { address, maxRequests }: MetricsServerOptions,
  { prometheus, logger }: { readonly prometheus: PrometheusMetrics; readonly logger: Logger },
  timeouts: MetricsTimeouts = METRICS_TIMEOUTS,
): Service {
  let running = 0
  const limits: ServerOptions = { maxHeaderSize: MAX_HEADER_BYTES, ...timeouts }
  const server: Server = createServer(limits, (_request, response) => {
    if (maxRequests > 0 && running >= maxRequests) {
      response.writeHead(503).end(`Limit of concurrent requests reached (${maxRequests}), try again later.\n`)
      return
    }
    running++
    prometheus
      .text()
      .then(
        (text) => response.writeHead(200, { 'Content-Type': prometheus.contentType }).end(text),
        (error: unknown) => response.writeHead(500).end(`${String(error)}\n`),
      )
      .finally(() => {
        running--
      })
  })
  limitConnections(server)
  server.on('error', (err) => logger.error('Prometheus HTTP server ListenAndServe', { err }))
  return {
    start: () =>
      new Promise((resolve) => {
        server.once('listening', resolve).once('error', () => resolve())
        server.listen(parseAddress(address))
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
