import type { IncomingHttpHeaders } from 'node:http2'
import { quoteText } from '../json/quote.ts'
import { noDecompressor } from './frame.ts'
import { GRPC_STATUS, type GrpcStatus } from './status.ts'
import { parseTimeout } from './timeout.ts'

/**
 * The status of a failed call. `httpStatus` is the HTTP status if the headers of the call are invalid. Otherwise it is
 * absent, and the HTTP status is 200.
 */
export interface Failure extends GrpcStatus {
  readonly httpStatus?: number
}

/** The headers of a call, as far as the server reads them. */
export interface CallHeaders {
  /** The content type of the answer. */
  readonly contentType: string
  /** The path of the method. */
  readonly path: string
  readonly compression: string | undefined
  /** Milliseconds that the client allows for the call. */
  readonly timeoutMs: number
  /** The status with which the call is refused; `undefined` if its headers are those of a gRPC call. */
  readonly fault: Failure | undefined
}

const CONTENT_TYPE = 'application/grpc'
/** If a header is invalid, the error repeats at most this number of its characters. */
const SHOWN = 64

const textOf = (value: string | readonly string[] | undefined): string => (typeof value === 'string' ? value : '')

/** Returns `application/grpc` with the subtype of the request; `undefined` if the request is not gRPC. */
function contentTypeOf(type: string): string | undefined {
  if (!type.startsWith(CONTENT_TYPE)) return undefined
  const subtype = type.slice(CONTENT_TYPE.length + 1)
  if (type.length > CONTENT_TYPE.length && !/^[+;]/.test(type.slice(CONTENT_TYPE.length))) return undefined
  return subtype === '' ? CONTENT_TYPE : `${CONTENT_TYPE}+${subtype}`
}

/**
 * Reads the headers of a call. They are checked in the reference's order, and faults are reported in the reference's
 * words.
 */
export function readHeaders(headers: IncomingHttpHeaders): CallHeaders {
  const type = textOf(headers['content-type'])
  const contentType = contentTypeOf(type)
  const timeout = parseTimeout(headers['grpc-timeout'])
  const method = String(headers[':method'])
  const fault = (): Failure | undefined => {
    if (contentType === undefined) {
      const message = `invalid gRPC request content-type ${quoteText(type.slice(0, SHOWN))}`
      return { code: GRPC_STATUS.invalidArgument, httpStatus: 415, message }
    }
    if (typeof timeout === 'string')
      return { code: GRPC_STATUS.internal, httpStatus: 400, message: `malformed grpc-timeout: ${timeout}` }
    if (method === 'POST') return undefined
    const message = `Received a HEADERS frame with :method ${quoteText(method.slice(0, SHOWN))} which should be POST`
    return { code: GRPC_STATUS.internal, httpStatus: 405, message }
  }
  const compression = textOf(headers['grpc-encoding'])
  return {
    contentType: contentType ?? CONTENT_TYPE,
    path: String(headers[':path']),
    compression: compression === '' ? undefined : compression,
    timeoutMs: typeof timeout === 'number' ? timeout : Number.POSITIVE_INFINITY,
    fault: fault(),
  }
}

/**
 * Returns the status that refuses a call whose client compresses messages; `undefined` if the client does not compress.
 */
export function compressionFault(compression: string | undefined): Failure | undefined {
  return compression === undefined || compression === 'identity' ? undefined : noDecompressor(compression)
}
