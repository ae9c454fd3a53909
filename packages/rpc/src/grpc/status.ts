/** The status codes of gRPC that this server sends. */
export const GRPC_STATUS = {
  ok: 0,
  /**
   * The code of a failed operation. The reference returns this code for every error that does not come from gRPC
   * itself.
   */
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const

export type GrpcStatusCode = (typeof GRPC_STATUS)[keyof typeof GRPC_STATUS]

/** The status with which a failed call ends, as the client receives it. */
export interface GrpcStatus {
  readonly code: GrpcStatusCode
  readonly message: string
}

/** A status message is cut at this number of characters, so that the trailers of a call stay small. */
const MAX_MESSAGE = 4096

const encoder = new TextEncoder()

/** Returns the text of a `grpc-message` header. `%` and bytes outside of printable ASCII are written as `%XX`. */
export function encodeStatusMessage(message: string): string {
  let text = ''
  for (const byte of encoder.encode(message.slice(0, MAX_MESSAGE))) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25
    text += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}
