import type { RequestHead } from './head.ts'
import { type HttpResponse, STATUS_TEXT, sizeOfPart } from './message.ts'

/**
 * The maximum size of a body that is sent with `Content-Length`. A larger body is sent in chunks. Go's server does the
 * same, because its buffer has this size.
 */
const CHUNK_ABOVE = 2048
/**
 * A part of at least this size is written without a copy. Smaller parts that follow each other are copied into one
 * buffer.
 */
const SHARE_ABOVE = 4096

export interface WrittenResponse {
  /** The whole answer as a binary string, if it is short. `parts` is then empty. */
  readonly text: string
  readonly parts: readonly Uint8Array[]
  readonly close: boolean
}

/** The two headers that depend on the time. Many answers share them. */
export interface TimeHeaders {
  /** Both header lines: `X-Server-Time: …\r\nDate: …\r\n`. */
  readonly both: string
  readonly date: string
}

/**
 * Joins an answer into one buffer. `size` is the size of `parts`. `head` may repeat bytes of the request that are not
 * valid UTF-8. So `head` is a binary string, which has one character per byte, and these bytes are written unchanged.
 */
function joined(head: string, parts: readonly (Uint8Array | string)[], size: number): Uint8Array {
  const target = Buffer.allocUnsafe(head.length + size)
  let at = target.write(head, 0, 'latin1')
  for (const part of parts) {
    if (typeof part === 'string') at += target.write(part, at)
    else {
      target.set(part, at)
      at += part.length
    }
  }
  return target
}

/**
 * Returns the buffers of an answer. If a part of the answer is a large buffer, this buffer is not copied: the result
 * contains the buffer itself. An answer from the cache may be sent to many clients, and all these clients then share
 * one copy of its large buffers.
 */
function assemble(head: string, parts: readonly (Uint8Array | string)[], size: number): readonly Uint8Array[] {
  if (size < SHARE_ABOVE) return [joined(head, parts, size)]
  const result: Uint8Array[] = []
  let before = head
  let run: (Uint8Array | string)[] = []
  let length = 0
  const endRun = (): void => {
    if (before !== '' || length > 0) result.push(joined(before, run, length))
    before = ''
    run = []
    length = 0
  }
  for (const part of parts) {
    const partSize = sizeOfPart(part)
    if (typeof part !== 'string' && partSize >= SHARE_ABOVE) {
      endRun()
      result.push(part)
    } else {
      run.push(part)
      length += partSize
    }
  }
  endRun()
  return result
}

const NO_PARTS: readonly Uint8Array[] = []

/**
 * Joins the head and the body. A short answer in ASCII stays text, because the socket can write a text without a buffer
 * in between.
 */
function written(head: string, { body, size, isAscii }: Measured, close: boolean): WrittenResponse {
  if (isAscii && size < SHARE_ABOVE) return { text: head + body.join(''), parts: NO_PARTS, close }
  return { text: '', parts: assemble(head, body, size), close }
}

interface Measured {
  readonly body: readonly (Uint8Array | string)[]
  readonly size: number
  readonly isAscii: boolean
}

function measure(body: readonly (Uint8Array | string)[]): Measured {
  let size = 0
  let isAscii = true
  for (const part of body) {
    const partSize = sizeOfPart(part)
    size += partSize
    isAscii &&= typeof part === 'string' && partSize === part.length
  }
  return { body, size, isAscii }
}

const NO_BODY: Measured = { body: [], size: 0, isAscii: true }

/**
 * Returns the bytes of an answer in the framing of Go's server. A body of up to 2,048 bytes has `Content-Length`. A
 * larger body is sent as one chunk.
 */
export function writeResponse(response: HttpResponse, head: RequestHead, times: TimeHeaders): WrittenResponse {
  const { status, headers } = response
  const body = measure(response.body)
  const { size } = body
  const isHead = head.method === 'HEAD'
  const bodyAllowed = status !== 204 && status !== 304
  const hasLength = size <= CHUNK_ABOVE && bodyAllowed && (!isHead || size > 0)
  const chunking = bodyAllowed && !isHead && !hasLength && head.http11
  const { closes: closeHeader, hasLength: hasOwnLength } = headers
  let close = closeHeader || response.close === true
  let connection = ''
  if (head.wantsKeepAlive && (isHead || hasLength || !bodyAllowed)) connection = 'Connection: keep-alive\r\n'
  else if (!head.http11 || head.wantsClose) close = true
  if (close && !closeHeader && head.http11) connection = 'Connection: close\r\n'
  const text =
    `HTTP/1.${head.http11 ? 1 : 0} ${status} ${STATUS_TEXT[status] ?? ''}\r\n${headers.text}` +
    (response.early === true ? times.date : times.both) +
    (hasLength && !hasOwnLength ? `Content-Length: ${size}\r\n` : '') +
    connection
  if (isHead || !bodyAllowed) return written(`${text}\r\n`, NO_BODY, close)
  if (!chunking) return written(`${text}\r\n`, body, close)
  const chunkHead = `${text}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`
  return written(chunkHead, { ...body, body: [...body.body, '\r\n0\r\n\r\n'], size: size + 7 }, close)
}

/** Returns the head of an answer whose length is not known: the answer ends when the connection is closed. */
export function writeStreamHead({ status, headers }: HttpResponse, head: RequestHead, times: TimeHeaders): Uint8Array {
  const text =
    `HTTP/1.${head.http11 ? 1 : 0} ${status} ${STATUS_TEXT[status] ?? ''}\r\n${headers.text}${times.both}` +
    `${head.http11 ? 'Connection: close\r\n' : ''}\r\n`
  return Buffer.from(text, 'latin1')
}

/** The answer to a client whose connection the node closes because memory is short. `body` is JSON. */
export function writeUnavailable(body: Uint8Array): Uint8Array {
  const head = `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\nRetry-After: 5\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

/**
 * The answer that Go's server sends if it receives bytes that are not HTTP. After the answer, it closes the connection.
 */
export function writeRefusal(status: string, advice = ''): Uint8Array {
  const body = status.startsWith('501') ? 'Unsupported transfer encoding' : status
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}${advice}`,
    'latin1',
  )
}
