import { CodedError } from '@org/runtime/errors'

export const ABCI_ERRORS = {
  /** The application answered with an exception, or threw. */
  exception: 'ABCI_EXCEPTION',
  /**
   * The application's answer has a member that the response does not have or allow. The message names method and
   * field.
   */
  badAnswer: 'ABCI_BAD_ANSWER',
  /** The given application is invalid: for example a class, or an object whose `checkTx` is not a function. */
  badApplication: 'ABCI_BAD_APPLICATION',
  /** An argument of `createAbciServer` is missing or has another form. The message shows the right call. */
  badOption: 'ABCI_BAD_OPTION',
  /** A response of another method than the oldest open request, or one without a request. */
  unexpectedResponse: 'ABCI_UNEXPECTED_RESPONSE',
  /** The connection is closed, by the application or by the node, or it is broken. */
  closed: 'ABCI_CLOSED',
  /** No answer within the time in the options. */
  timeout: 'ABCI_TIMEOUT',
  /** A frame announces more bytes than the options allow. */
  frameTooLarge: 'ABCI_FRAME_TOO_LARGE',
  /** Bytes that are not a frame, or a frame that is not a message. */
  badFrame: 'ABCI_BAD_FRAME',
  /** More open requests on one connection than the options allow. */
  tooManyPending: 'ABCI_TOO_MANY_PENDING',
  /** A call before the connection is made. */
  notConnected: 'ABCI_NOT_CONNECTED',
  /** An address that is neither `tcp://host:port` nor `unix://path`. */
  badAddress: 'ABCI_BAD_ADDRESS',
  /** The server cannot listen. */
  listen: 'ABCI_LISTEN',
} as const

export type AbciErrorCode = (typeof ABCI_ERRORS)[keyof typeof ABCI_ERRORS]

export interface AbciErrorData {
  /** The method of the call that failed, if there is one. */
  readonly method?: string
  readonly [key: string]: unknown
}

/** A failure between the node and its application. */
export class AbciError extends CodedError<AbciErrorCode, AbciErrorData> {}
