import { CodedError } from '@org/runtime/errors'

/** The codes of {@link TransportError}. */
export const TRANSPORT_ERRORS = {
  dial: 'TRANSPORT_DIAL',
  listen: 'TRANSPORT_LISTEN',
  closed: 'TRANSPORT_CLOSED',
} as const

/** The error of a TCP connection or of a listener. Its code is one of {@link TRANSPORT_ERRORS}. */
export class TransportError extends CodedError<(typeof TRANSPORT_ERRORS)[keyof typeof TRANSPORT_ERRORS]> {}
