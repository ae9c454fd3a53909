import type { Socket } from 'node:net'
import type { Timer } from '@org/runtime'
import { messageOf } from '@org/runtime'
import { Request, Response } from '@org/types/abci'
import { parseAddress } from '../address.ts'
import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { createFrameParser, createFrameWriter } from '../framing/index.ts'
import type { MethodName } from '../messages/index.ts'
import { MAX_FRAME_BYTES, MAX_PENDING } from '../options.ts'
import { methodsOver, type RemoteClient } from './client.ts'
import { dial } from './dial.ts'
import { exceptionOf } from './exception.ts'
import { createFailure } from './failure.ts'
import type { ClientModules, RemoteOptions } from './options.ts'
import { createPendingQueue } from './pending.ts'

type RequestValue = NonNullable<Request['value']>
type ResponseValue = NonNullable<Response['value']>

interface Pending {
  readonly method: string
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: AbciError) => void
}

/**
 * Creates a client of the socket protocol. The calls of one turn of the event loop are sent in one write that ends with
 * a Flush request, because Go servers answer only then. The function is long because it contains all of one connection:
 * writing, reading, the time limit and the end.
 */
export function createSocketClient(options: RemoteOptions, modules: ClientModules): RemoteClient {
  const { maxFrameBytes = MAX_FRAME_BYTES, maxPending = MAX_PENDING, timeoutMs = 0 } = options
  const address = parseAddress(options.address)
  const { clock } = modules
  const failure = createFailure()
  const pending = createPendingQueue<Pending>()
  const writer = createFrameWriter(Request)
  const parser = createFrameParser(maxFrameBytes)
  let socket: Socket | undefined
  let closing: AbciError | undefined
  let flushing = false
  let endsWithFlush = false
  let timer: Timer | undefined

  function end(error: AbciError): void {
    if (closing !== undefined) return
    closing = error
    timer?.cancel()
    socket?.destroy()
    for (const [index, { method, reject }] of pending.clear().entries()) {
      // If the error names the oldest open call, that call caused the failure. The other calls failed because the
      // connection ended.
      if (index === 0 && error.data.method === method) reject(error)
      else reject(closedError(method, error))
    }
  }

  function fail(error: AbciError): void {
    if (closing !== undefined) return
    end(error)
    failure.set(error)
  }

  function send(value: RequestValue): Promise<never> {
    const method = value.case
    if (closing !== undefined) return Promise.reject(closedError(method, closing))
    if (socket === undefined) {
      const message = `${method}: not connected to the application`
      return Promise.reject(new AbciError(ABCI_ERRORS.notConnected, message, { data: { method } }))
    }
    if (pending.size() >= maxPending) {
      const message = `${method}: ${maxPending} calls wait for an answer already`
      return Promise.reject(new AbciError(ABCI_ERRORS.tooManyPending, message, { data: { method, limit: maxPending } }))
    }
    try {
      enqueueFrame(value)
    } catch (cause) {
      return Promise.reject(cause)
    }
    return new Promise((resolve, reject) => track(method, resolve, reject))
  }

  function enqueueFrame(value: RequestValue): void {
    writer.add({ value })
    endsWithFlush = value.case === 'flush'
    if (flushing) return
    flushing = true
    setImmediate(write)
  }

  function track(method: string, resolve: Pending['resolve'], reject: Pending['reject']): void {
    pending.push({ method, since: timeoutMs > 0 ? clock.monotonic() : 0, resolve, reject })
    if (timeoutMs > 0 && timer === undefined) watch(timeoutMs)
  }

  function write(): void {
    flushing = false
    if (closing !== undefined || socket === undefined) return
    if (!endsWithFlush) {
      writer.add(FLUSH)
      track('flush', ignore, ignore)
      endsWithFlush = true
    }
    const slabs = writer.take()
    if (slabs.length > 1) socket.cork()
    for (const slab of slabs) socket.write(slab)
    if (slabs.length > 1) socket.uncork()
  }

  function watch(ms: number): void {
    timer = clock.after(ms, () => {
      timer = undefined
      const oldest = pending.peek()
      if (oldest === undefined) return
      const left = oldest.since + timeoutMs - clock.monotonic()
      if (left > 0) watch(left)
      else {
        const { method } = oldest
        const message = `${method}: no answer from the application within ${timeoutMs} ms`
        fail(new AbciError(ABCI_ERRORS.timeout, message, { data: { method, timeoutMs } }))
      }
    })
  }

  function onFrame(frame: Uint8Array): void {
    if (closing !== undefined) return
    const { value } = Response.decode(frame)
    const call = pending.peek()
    if (value !== undefined && value.case === call?.method) {
      pending.shift()
      call.resolve(value.value as never)
      return
    }
    fail(unexpected(value, call?.method))
  }

  function onData(chunk: Uint8Array): void {
    try {
      parser.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length), onFrame)
    } catch (cause) {
      fail(badFrame(cause, pending.peek()?.method))
    }
  }

  function attach(connected: Socket): void {
    socket = connected
    connected.setNoDelay(true)
    connected.on('data', onData)
    connected.on('error', (cause) => fail(lost(pending.peek()?.method, cause)))
    connected.on('end', () => fail(lost(pending.peek()?.method)))
    connected.on('close', () => fail(lost(pending.peek()?.method)))
  }

  const call = (method: MethodName, request: never): Promise<unknown> =>
    send({ case: method, value: request } as RequestValue)

  return {
    ...methodsOver(call),
    echo: async (message) => ((await send({ case: 'echo', value: { message } })) as { message: string }).message,
    flush: async () => {
      await send({ case: 'flush', value: {} })
    },
    close: async () => {
      end(new AbciError(ABCI_ERRORS.closed, 'the connection is closed'))
      if (socket !== undefined && !socket.closed) await new Promise((resolve) => socket?.once('close', resolve))
    },
    onError: failure.listen,
    connect: async (signal) => {
      if (socket !== undefined) return
      const connected = await dial(address, modules, signal)
      if (closing === undefined) attach(connected)
      else connected.destroy()
    },
  }
}

const FLUSH: Request = { value: { case: 'flush', value: {} } }
const ignore = (): void => undefined

function closedError(method: string, cause: AbciError): AbciError {
  return new AbciError(ABCI_ERRORS.closed, `${method}: ${cause.message}`, { data: { method }, cause })
}

function withMethod(method: string | undefined): { readonly method?: string } {
  return method === undefined ? {} : { method }
}

function lost(method: string | undefined, cause?: unknown): AbciError {
  const why = cause === undefined ? 'the application closed the connection' : `connection lost: ${messageOf(cause)}`
  const message = method === undefined ? why : `${method}: ${why}`
  return new AbciError(ABCI_ERRORS.closed, message, { data: withMethod(method), cause })
}

function badFrame(cause: unknown, method: string | undefined): AbciError {
  const code = cause instanceof AbciError ? cause.code : ABCI_ERRORS.badFrame
  const data = { ...(cause instanceof AbciError ? cause.data : {}), ...withMethod(method) }
  return new AbciError(code, `${method ?? 'no call'}: ${messageOf(cause)}`, { data, cause })
}

function unexpected(value: ResponseValue | undefined, method: string | undefined): AbciError {
  const response = value?.case
  if (value?.case === 'exception') return exceptionOf(method, value.value.error, { data: { response } })
  const data = { ...withMethod(method), response }
  const got = value === undefined ? 'an empty response' : `a response to ${value.case}`
  const message = method === undefined ? `${got}, which was not requested` : `${method}: got ${got}`
  return new AbciError(ABCI_ERRORS.unexpectedResponse, message, { data })
}
