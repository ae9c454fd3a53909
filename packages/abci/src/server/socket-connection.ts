import type { Socket } from 'node:net'
import { isCodedError, type Logger, messageOf } from '@org/runtime'
import { Request, Response } from '@org/types/abci'
import { type ApplicationHost, isPromise } from '../application/index.ts'
import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { createFrameParser, createFrameWriter } from '../framing/index.ts'
import type { MethodName } from '../messages/index.ts'
import { thrown } from './stderr-logger.ts'

type ResponseValue = NonNullable<Response['value']>

const FLUSH: ResponseValue = { case: 'flush', value: {} }

/**
 * Serves one connection of the socket protocol. It handles requests one after the other, and answers them in the same
 * order. If the bytes that arrive together contain several frames, the answers to these frames are sent in one write,
 * unless the answers are long. As in the reference, the connection is closed after an ABCI response of the type
 * `exception`. The function is long because all events of the socket change the state of one connection.
 */
export function serveSocket(
  socket: Socket,
  host: ApplicationHost,
  options: { readonly maxFrameBytes: number; readonly logger: Logger },
): void {
  const { logger } = options
  const parser = createFrameParser(options.maxFrameBytes)
  const writer = createFrameWriter(Response)
  let frames: Uint8Array[] = []
  let next = 0
  let state: 'idle' | 'busy' | 'ended' = 'idle'

  function answer(value: ResponseValue): void {
    writer.add({ value })
  }

  function throwException(error: unknown, method?: MethodName): void {
    const about = method === undefined ? {} : { method }
    logger.error('The application threw an error; closing the connection', { ...about, ...thrown(error) })
    answer({ case: 'exception', value: { error: messageOf(error) } })
    state = 'ended'
  }

  /** Returns the answer to a frame, or a promise of it if the application returns a promise. */
  function handle(frame: Uint8Array): void | Promise<void> {
    const { value: request } = Request.decode(frame)
    if (request === undefined) return throwException(new AbciError(ABCI_ERRORS.badFrame, 'unknown request from client'))
    if (request.case === 'flush') return answer(FLUSH)
    if (request.case === 'echo') return answer({ case: 'echo', value: { message: request.value.message } })
    const method: MethodName = request.case
    const respond = (value: unknown): void => answer({ case: method, value } as ResponseValue)
    const fail = (error: unknown): void => throwException(error, method)
    try {
      const response = host.call(method, request.value as never) as unknown
      return isPromise(response) ? response.then(respond).catch(fail) : respond(response)
    } catch (error) {
      return fail(error)
    }
  }

  function write(): void {
    const slabs = writer.drain()
    if (slabs.length > 1) socket.cork()
    for (const slab of slabs) socket.write(slab)
    if (slabs.length > 1) socket.uncork()
    if (state === 'ended') socket.end()
  }

  function run(): void {
    // A request of a few bytes may have an answer of megabytes, and one chunk may contain thousands of requests. So the
    // server handles no further request while the client does not read the answers.
    while (state === 'idle' && next < frames.length && !socket.writableNeedDrain) {
      const handled = handle(frames[next++] as Uint8Array)
      if (handled === undefined) {
        if (writer.isFull()) write()
        continue
      }
      state = 'busy'
      void handled.then(resume).catch(drop)
    }
    if (next === frames.length) {
      frames = []
      next = 0
    }
    write()
    // The server does not read from a client that sends faster than the application works, or that does not read
    // answers. After the server has ended the connection, it reads and drops the client's bytes, so that it sees when
    // the client closes its end.
    if (state === 'busy' || (state === 'idle' && socket.writableNeedDrain)) socket.pause()
    else socket.resume()
  }

  function resume(): void {
    if (state === 'busy') state = 'idle'
    run()
  }

  function runIfIdle(): void {
    try {
      if (state === 'idle') run()
    } catch (error) {
      drop(error)
    }
  }

  function drop(error: unknown): void {
    state = 'ended'
    const code = isCodedError(error) ? { code: error.code } : {}
    logger.error('Closing the connection', { ...code, error: messageOf(error) })
    socket.destroy()
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk) => {
    if (state === 'ended') return
    try {
      parser.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length), (frame) => void frames.push(frame))
    } catch (error) {
      drop(error)
    }
    runIfIdle()
  })
  socket.on('drain', runIfIdle)
  socket.on('error', (error) => {
    state = 'ended'
    logger.debug('Connection lost', { error: error.message })
  })
  socket.on('end', () => {
    const bytes = parser.buffered()
    if (state === 'ended' || bytes === 0) return
    logger.error('The connection ended in the middle of a frame', { code: ABCI_ERRORS.badFrame, bytes })
  })
  socket.on('close', () => {
    state = 'ended'
    frames = []
    next = 0
  })
}
