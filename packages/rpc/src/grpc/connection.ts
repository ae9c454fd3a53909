import { constants, type ServerHttp2Session } from 'node:http2'
import type { Clock } from '@org/runtime'
import { type ConnectionRegistry, remoteAddressOf } from '../http/index.ts'
import type { GrpcMethods } from './broadcast-api.ts'
import { type GrpcCall, serveCall } from './call.ts'
import type { GrpcLimits } from './options.ts'

export interface GrpcConnectionModules {
  readonly methods: GrpcMethods
  readonly clock: Clock
  readonly holders: ConnectionRegistry
}

const sum = (calls: ReadonlySet<GrpcCall>, measure: (call: GrpcCall) => number): number => {
  let total = 0
  for (const call of calls) total += measure(call)
  return total
}

/**
 * Serves one HTTP/2 connection. Counts the memory that its calls hold. Closes the connection after a long time without
 * a call.
 */
export function serveConnection(
  session: ServerHttp2Session,
  limits: GrpcLimits,
  { methods, clock, holders }: GrpcConnectionModules,
): void {
  const remoteAddress = remoteAddressOf(session.socket)
  const calls = new Set<GrpcCall>()
  const holder = {
    name: () => `gRPC ${remoteAddress}`,
    requestBytes: () => sum(calls, (call) => call.requestBytes()),
    unreadBytes: () => sum(calls, (call) => call.unreadBytes()),
    shed: () => session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM),
  }
  const leave = holders.join(holder)
  // A client that begins HTTP/2 too late is disconnected without a warning. A client that makes no call for too long
  // first gets a GOAWAY frame.
  let timer = clock.after(limits.readTimeoutMs, () => session.destroy())
  const waitForCall = (): void => {
    timer.cancel()
    timer = clock.after(limits.idleTimeoutMs, () => {
      session.close()
      timer = clock.after(limits.writeTimeoutMs, () => session.destroy())
    })
  }

  session.on('error', () => session.destroy())
  session.once('remoteSettings', () => {
    if (calls.size === 0) waitForCall()
  })
  session.once('close', () => {
    timer.cancel()
    leave()
  })
  session.on('stream', (stream, headers) => {
    timer.cancel()
    const grew = (bytes: number): void => holders.grew(bytes, holder)
    const call = serveCall(stream, headers, { limits, modules: { methods, clock, remoteAddress, grew } })
    if (stream.destroyed) return
    calls.add(call)
    stream.once('close', () => {
      calls.delete(call)
      if (calls.size === 0 && !session.destroyed) waitForCall()
    })
  })
}
