import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpHandler, HttpResponse } from '../http/index.ts'
import { bodyBytes, withHeaders } from '../http/index.ts'

/** The minimum number of bytes of an answer that is compressed. */
const MIN_BYTES = 1024
/**
 * The maximum number of answers that are compressed at the same time. A further answer is sent uncompressed. It does
 * not wait, because the threads that compress also write to disk.
 */
const MAX_AT_ONCE = 2
/** The maximum length of an `Accept-Encoding` header. With a longer header, the answer is sent uncompressed. */
const MAX_HEADER = 1024

const gzipped = promisify(gzip)
const brotli = promisify(brotliCompress)

const ENCODERS = {
  br: (bytes: Uint8Array): Promise<Uint8Array> =>
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => gzipped(bytes),
} as const

type Encoding = keyof typeof ENCODERS

/**
 * Returns the weight that an `Accept-Encoding` header gives to a coding. If the header does not name the coding, the
 * weight of `*` counts, or 0 if the header has no `*`.
 */
function weightOf(codings: ReadonlyMap<string, number>, name: Encoding): number {
  return codings.get(name) ?? codings.get('*') ?? 0
}

/** The coding that a client prefers, brotli before gzip; `undefined` for an uncompressed answer. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header.length > MAX_HEADER) return undefined
  const codings = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.map((text) => /^q=(\d(?:\.\d*)?)$/.exec(text)?.[1]).find((text) => text !== undefined)
    if (name !== '') codings.set(name === 'x-gzip' ? 'gzip' : name, Number(weight ?? 1))
  }
  const [br, plain] = [weightOf(codings, 'br'), weightOf(codings, 'gzip')]
  if (br === 0 && plain === 0) return undefined
  return br >= plain ? 'br' : 'gzip'
}

const headerOf = ({ headers }: HttpResponse, name: string): string | undefined =>
  headers.entries.find(([known]) => known === name)?.[1]

function varied(response: HttpResponse): HttpResponse {
  const vary = headerOf(response, 'Vary')
  const value = vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
  return { ...response, headers: withHeaders(response.headers, [['Vary', value]]) }
}

/**
 * Returns true if the answer may be compressed: its body is text, not compressed yet and not a stream, and the answer
 * is not `early` (see {@link HttpResponse}).
 */
function isText(response: HttpResponse): boolean {
  const type = headerOf(response, 'Content-Type') ?? ''
  if (headerOf(response, 'Content-Encoding') !== undefined) return false
  return response.early !== true && response.stream === undefined && /^(application\/json|text\/)/.test(type)
}

/** Compresses answers for clients that accept compressed answers, on threads other than the event loop's. */
export function withCompression(handler: HttpHandler): HttpHandler {
  let working = 0

  async function encoded(response: HttpResponse, encoding: Encoding): Promise<HttpResponse> {
    const bytes = bodyBytes(response)
    if (bytes.length < MIN_BYTES) return response
    working++
    try {
      const body = [await ENCODERS[encoding](bytes)]
      return { ...response, body, headers: withHeaders(response.headers, [['Content-Encoding', encoding]]) }
    } finally {
      working--
    }
  }

  return async (request) => {
    const answer = await handler(request)
    if ('upgrade' in answer || !isText(answer)) return answer
    const response = varied(answer)
    const encoding = request.method === 'HEAD' ? undefined : acceptedEncoding(request.headers.get('accept-encoding'))
    return encoding === undefined || working >= MAX_AT_ONCE ? response : encoded(response, encoding)
  }
}
