import { CodedError } from '@org/runtime/errors'

export const TRANSPORT_ERRORS = {
  dial: 'TRANSPORT_DIAL',
  listen: 'TRANSPORT_LISTEN',
  closed: 'TRANSPORT_CLOSED',
} as const

export class TransportError extends CodedError<(typeof TRANSPORT_ERRORS)[keyof typeof TRANSPORT_ERRORS]> {}
