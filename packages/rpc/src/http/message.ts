import type { Duplex } from 'node:stream'

/** One request, read whole. */
export interface HttpRequest {
  readonly method: string
  /** The path and the query, as the client sent them. */
  readonly target: string
  /** True for HTTP/1.1, false for HTTP/1.0. */
  readonly http11: boolean
  /** The first value of each header, by its name in lower case. Values are binary strings. */
  readonly headers: ReadonlyMap<string, string>
  readonly host: string
  readonly body: Uint8Array
  /** The number of bytes of the request's head, which the texts above keep in memory. Absent: unknown. */
  readonly headSize?: number
  /** `address:port` of the client. */
  readonly remoteAddress: string
  /** Returns a signal that aborts when the client disconnects. */
  readonly signal: () => AbortSignal
  /**
   * Reports that the answer has grown by this number of bytes, before the whole answer is ready. Absent: the HTTP
   * server does not count the memory of its clients.
   */
  readonly grew?: (bytes: number) => void
}

/**
 * The header lines of an answer, in the order of the reference: sorted by name. They are made once and written many
 * times.
 */
export interface HeaderBlock {
  readonly entries: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** True if the headers have `Connection: close`. */
  readonly closes: boolean
  /** True if the headers contain `Content-Length`. */
  readonly hasLength: boolean
}

export function headerBlock(entries: readonly (readonly [name: string, value: string])[]): HeaderBlock {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const text = sorted.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return {
    entries: sorted,
    text,
    closes: text.includes('Connection: close\r\n'),
    hasLength: text.includes('Content-Length: '),
  }
}

/** Returns the HTTP header lines of an answer that has only a content type, as most answers do. */
export const typed = (contentType: string): HeaderBlock => headerBlock([['Content-Type', contentType]])

/** Returns header lines with additional headers. A header of the same name is replaced. */
export function withHeaders(block: HeaderBlock, more: readonly (readonly [string, string])[]): HeaderBlock {
  const names = new Set(more.map(([name]) => name))
  return headerBlock([...block.entries.filter(([name]) => !names.has(name)), ...more])
}

/** Writes an answer piece by piece, while its data arrives. */
export interface StreamSink {
  /** Writes the given parts of the answer together, in their order. */
  readonly write: (...parts: readonly (Uint8Array | string)[]) => void
  /** False after the client disconnected, or after the answer ended. */
  readonly isOpen: () => boolean
  /**
   * True if the client reads too slowly: the data that was passed to `write`, but is not sent yet, fills the buffer.
   */
  readonly isBehind: () => boolean
  /** Resolves when no written data waits, or the client has disconnected. */
  readonly drained: () => Promise<void>
  readonly end: () => void
  /** Ends the answer at once, without the data that waits. */
  readonly destroy: () => void
}

/** An answer over HTTP before it is written: the status code, the headers and the parts of the body. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderBlock
  /** The parts of the body, written one after the other. */
  readonly body: readonly (Uint8Array | string)[]
  /**
   * True for an answer without the header `X-Server-Time`. The server sends such an answer to a request with an
   * unreadable body, too many requests in a batch, an unknown `Expect`, or the target `*` of `OPTIONS`.
   */
  readonly early?: boolean
  /** True if the connection is closed after the answer, even if unread input is left. */
  readonly close?: boolean
  /**
   * Writes the body of the answer piece by piece. If this function is present, the property `body` is not used. The
   * answer ends when the function calls `end` of its parameter `sink`, or when the request's signal aborts. The head of
   * the answer does not contain the length of the body. So the end of the body is marked by closing the connection.
   */
  readonly stream?: (sink: StreamSink) => void
}

/** Returns the size of a part of a body, in bytes. */
export function sizeOfPart(part: Uint8Array | string): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : part.length
}

/** Returns the whole body in one piece. */
export function bodyBytes({ body }: Pick<HttpResponse, 'body'>): Buffer<ArrayBuffer> {
  return Buffer.concat(body.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

/**
 * The result of a handler that does not answer the request, but hands its connection over to another protocol, such as
 * WebSocket.
 */
export interface HttpUpgrade {
  readonly upgrade: (socket: Duplex, head: Uint8Array, request: HttpRequest) => void
}

/** A function that handles one HTTP request. Resolves with an answer, or with an {@link HttpUpgrade}. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse | HttpUpgrade>

export const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  410: 'Gone',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'HTTP Version Not Supported',
}
