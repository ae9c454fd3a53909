import { connect } from 'node:net'
import { createAnswerReader } from './http-answer.ts'
import { type LoadCounts, type LoadOptions, type LoadResult, runLoad } from './run-load.ts'

interface HttpLoadOptions extends LoadOptions {
  /** Returns false if the body shows that the call failed. Default: only the status of an answer is read. */
  readonly isGood?: (answer: Buffer) => boolean
}

/**
 * Sends requests over keep-alive connections. Each connection waits for an answer before it sends its next request. An
 * answer counts as failed if its status is not 200 or if `isGood` returns false.
 */
export function httpLoad(options: HttpLoadOptions): Promise<LoadResult> {
  return runLoad(options, oneConnection)
}

function oneConnection(options: HttpLoadOptions, deadline: number, counts: LoadCounts): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = createAnswerReader(options.isGood !== undefined)
    // One buffer is used for all reads, because this process must use less processor time than the measured node.
    const onread = {
      buffer: Buffer.alloc(128 * 1024),
      callback: (size: number, data: Uint8Array) => onData(size, data),
    }
    const socket = connect({ host: '127.0.0.1', port: options.port, noDelay: true, onread })
    const sendNext = (): void => {
      const request = performance.now() < deadline ? options.next() : undefined
      if (request !== undefined) socket.write(request)
      else {
        socket.destroy()
        resolve()
      }
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    const onData = (size: number, data: Uint8Array): boolean => {
      if (!reader.push(Buffer.from(data.buffer, data.byteOffset, size))) return true
      counts.answered++
      if (!reader.status() || options.isGood?.(reader.body()) === false) counts.failed++
      sendNext()
      return true
    }
  })
}

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
}

export function postRequest(method: string, params: Readonly<Record<string, unknown>>): Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return Buffer.from(
    `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}
