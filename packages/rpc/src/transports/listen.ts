import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { type Clock, createLifecycle } from '@org/runtime'
import { messageOf } from '@org/runtime/errors'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import { type GrpcServer, listenForGrpc } from '../grpc/index.ts'
import {
  formatListenAddress,
  type HttpHandler,
  type HttpServer,
  type HttpServerOptions,
  type ListenAddress,
  startHttpServer,
  type TimeHeaders,
} from '../http/index.ts'
import { forbidden } from '../middleware/cross-site-requests.ts'
import { noMemoryResponse } from '../middleware/refuse-when-short.ts'
import type { RpcOptions } from '../options.ts'
import type { RpcService } from '../service.ts'
import type { WebSockets } from '../websocket/websocket-server.ts'
import { bodyErrorResponse } from './handler.ts'
import { panicResponse } from './uri.ts'

/** The open listening sockets of an RPC. */
export interface RpcListener {
  /** The addresses for HTTP, with the ports that were chosen. */
  readonly addresses: readonly string[]
  /** The address for gRPC, with the port that was chosen; absent if there is no gRPC service. */
  readonly grpcAddress?: string
  /** Closes WebSockets, lets answers in progress finish for {@link STOP_GRACE_MS}, then closes all connections. */
  readonly stop: () => Promise<void>
}

/** When the server stops, answers in progress have this number of milliseconds to finish. */
const STOP_GRACE_MS = 500

/**
 * Makes a function that returns the headers that contain the time in seconds. The function keeps the headers until the
 * next second begins, but for at most 250 ms. The limit of 250 ms exists because the operator may set the clock.
 */
function createTimeHeaders(clock: Clock): () => TimeHeaders {
  let until = 0
  let current: TimeHeaders = { both: '', date: '' }
  return () => {
    const monotonic = clock.monotonic()
    if (monotonic < until) return current
    const millis = Number(clock.now() / 1_000_000n)
    const seconds = Math.floor(millis / 1000)
    const date = `Date: ${new Date(seconds * 1000).toUTCString()}\r\n`
    current = { both: `X-Server-Time: ${seconds}\r\n${date}`, date }
    // The headers contain the time in whole seconds, so new headers are made when the next second begins. The operator
    // may set the wall clock while the node runs, so the headers are kept for at most 250 ms.
    until = monotonic + Math.min(250, (seconds + 1) * 1000 - millis)
    return current
  }
}

/** Returns the message of an error without the path that Node.js puts at its end. */
const reasonOf = (error: unknown): string => messageOf(error).replace(/, \w+ '.*'$/, '')

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RpcError(RPC_ERRORS.config, `TLS file ${file} cannot be read: ${reasonOf(error)}`, {
      data: { file },
      cause: error,
    })
  }
}

/**
 * The maximum number of header lines of a request, and the maximum bytes of its first line and headers. A strict node
 * does not have these limits. Every browser and client stays far below them.
 */
const MAX_HEADERS = 100
const MAX_HEADER_BYTES = 64 * 1024

function headLimits(configured: number): Pick<HttpServerOptions, 'maxHeaderBytes' | 'maxHeaders' | 'headAdvice'> {
  const maxHeaderBytes = Math.min(configured, MAX_HEADER_BYTES)
  const headAdvice = `the first line and the headers may have ${maxHeaderBytes} bytes; send long arguments in the body of a POST`
  return { maxHeaderBytes, maxHeaders: MAX_HEADERS, headAdvice }
}

function serverOptions(options: RpcOptions): HttpServerOptions {
  const { maxHeaderBytes, maxBodyBytes, readTimeoutMs, maxOpenConnections, timeoutBroadcastTxCommitMs } = options
  // `broadcast_tx_commit` may take as long as its own time-out, so the time limit of answers must be longer.
  const writeTimeoutMs = Math.max(10_000, timeoutBroadcastTxCommitMs + 1000)
  const limits = { maxHeaderBytes, maxBodyBytes, readTimeoutMs, writeTimeoutMs, maxOpenConnections }
  const base = options.strict ? limits : { ...limits, ...headLimits(maxHeaderBytes), socketMode: options.socketMode }
  if (options.tlsCertFile === '' || options.tlsKeyFile === '') return base
  return { ...base, tls: { cert: readPem(options.tlsCertFile), key: readPem(options.tlsKeyFile) } }
}

/** Returns true for a TCP address that can be reached only from this machine. */
function isLoopback(address: ListenAddress): boolean {
  if (address.kind !== 'tcp') return false
  const host = address.host.toLowerCase()
  return /(^|\.)localhost$/.test(host) || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/**
 * If the host name of a web site resolves to this machine, the page of that site has the same origin as the node. The
 * requests of this page differ from the operator's requests only in the host name, so the host name is checked.
 */
function refusingForeignHosts(handler: HttpHandler, { foreign, profile }: RpcService): HttpHandler {
  return (request) => {
    const fault = foreign.hostFault(request)
    return fault === undefined ? handler(request) : Promise.resolve(forbidden(profile, fault))
  }
}

/** Listens on every address. If this fails for one address, stops listening on all others. */
export async function listenOn(
  addresses: readonly ListenAddress[],
  parts: { readonly service: RpcService; readonly handler: HttpHandler; readonly webSockets: WebSockets },
): Promise<RpcListener> {
  const { service, handler, webSockets } = parts
  const options = serverOptions(service.options)
  const modules = {
    clock: service.clock,
    handler,
    times: createTimeHeaders(service.clock),
    bodyError: bodyErrorResponse,
    holders: service.memory,
    noMemory: (reason: string) => noMemoryResponse(service.profile, reason),
    fault: (error: unknown) => {
      service.logger.error('RPC handler failed', { error })
      return panicResponse(service.profile, error)
    },
  }
  const servers: HttpServer[] = []
  let grpc: GrpcServer | undefined
  const stopAll = async (graceMs: number): Promise<void> => {
    await Promise.all([...servers, ...(grpc === undefined ? [] : [grpc])].map((server) => server.stop(graceMs)))
  }
  try {
    for (const address of addresses) {
      const guarded = isLoopback(address) ? { ...modules, handler: refusingForeignHosts(handler, service) } : modules
      const server = await startHttpServer(address, options, guarded)
      servers.push(server)
      service.logger.info('RPC server listens', { address: formatListenAddress(server.address) })
    }
    grpc = await listenForGrpc(service)
  } catch (error) {
    await stopAll(0)
    throw error
  }
  const life = createLifecycle({
    name: 'the RPC server',
    stop: () => {
      webSockets.closeAll()
      return stopAll(STOP_GRACE_MS)
    },
  })
  return {
    addresses: servers.map(({ address }) => formatListenAddress(address)),
    ...(grpc === undefined ? {} : { grpcAddress: formatListenAddress(grpc.address) }),
    stop: life.stop,
  }
}
