import type { Socket } from 'node:net'
import { Response } from '@org/types/abci'
import { parseAddress } from '../address.ts'
import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { createFrameParser } from '../framing/index.ts'
import type { MethodName } from '../messages/index.ts'
import { MAX_FRAME_BYTES, MAX_PENDING } from '../options.ts'
import { methodsOver, type RemoteClient } from './client.ts'
import { dial } from './dial.ts'
import { createFailure } from './failure.ts'
import type { ClientModules, RemoteOptions } from './options.ts'
import { createPendingCalls } from './pending-calls.ts'
import { createRequestBatch, type RequestValue } from './request-batch.ts'
import { badFrameError, closedError, lostError, unexpectedError } from './socket-errors.ts'

/**
 * Creates a client of the socket protocol. The calls of one turn of the event loop are sent in one write that ends with
 * a Flush request. A Go server does not send its answers before it receives a Flush request.
 */
export function createSocketClient(options: RemoteOptions, modules: ClientModules): RemoteClient {
  const { maxFrameBytes = MAX_FRAME_BYTES, maxPending = MAX_PENDING, timeoutMs = 0 } = options
  const address = parseAddress(options.address)
  const failure = createFailure()
  const pending = createPendingCalls(timeoutMs, { clock: modules.clock, onTimeout: fail })
  const batch = createRequestBatch({
    socket: () => (closing === undefined ? socket : undefined),
    onFlush: () => pending.add('flush', ignore, ignore),
  })
  const parser = createFrameParser(maxFrameBytes)
  let socket: Socket | undefined
  let closing: AbciError | undefined

  function end(error: AbciError): void {
    if (closing !== undefined) return
    closing = error
    socket?.destroy()
    pending.end(error)
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
      batch.add(value)
    } catch (cause) {
      return Promise.reject(cause)
    }
    return new Promise((resolve, reject) => pending.add(method, resolve, reject))
  }

  function onFrame(frame: Uint8Array): void {
    if (closing !== undefined) return
    const { value } = Response.decode(frame)
    const call = pending.oldest()
    if (value !== undefined && value.case === call?.method) {
      pending.shift()
      call.resolve(value.value as never)
      return
    }
    fail(unexpectedError(value, call?.method))
  }

  function onData(chunk: Uint8Array): void {
    try {
      parser.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length), onFrame)
    } catch (cause) {
      fail(badFrameError(cause, pending.oldest()?.method))
    }
  }

  function attach(connected: Socket): void {
    socket = connected
    connected.setNoDelay(true)
    connected.on('data', onData)
    connected.on('error', (cause) => fail(lostError(pending.oldest()?.method, cause)))
    connected.on('end', () => fail(lostError(pending.oldest()?.method)))
    connected.on('close', () => fail(lostError(pending.oldest()?.method)))
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

const ignore = (): void => undefined
