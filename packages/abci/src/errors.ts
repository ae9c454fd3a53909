import { CodedError } from '@org/runtime/errors'

/** The codes of {@link AbciError}. */
export const ABCI_ERRORS = {
  /** The application answered with an exception, or its method threw an error. */
  exception: 'ABCI_EXCEPTION',
  /**
   * The application's answer has an unknown member, or a member with an invalid value. The message names the method and
   * the field.
   */
  badAnswer: 'ABCI_BAD_ANSWER',
  /** The given application is invalid: for example a class, or an object whose `checkTx` is not a function. */
  badApplication: 'ABCI_BAD_APPLICATION',
  /** An argument of `createAbciServer` is missing or has a wrong form. The message shows the right call. */
  badOption: 'ABCI_BAD_OPTION',
  /** A response belongs to another method than the oldest open request, or no request is open. */
  unexpectedResponse: 'ABCI_UNEXPECTED_RESPONSE',
  /** The connection is closed, by the application or by the node, or it is broken. */
  closed: 'ABCI_CLOSED',
  /** The application did not answer within the time limit of the options. */
  timeout: 'ABCI_TIMEOUT',
  /** A frame announces more bytes than the options allow. */
  frameTooLarge: 'ABCI_FRAME_TOO_LARGE',
  /** The bytes are not a frame, or the frame is not a message. */
  badFrame: 'ABCI_BAD_FRAME',
  /** One connection has more open requests than the options allow. */
  tooManyPending: 'ABCI_TOO_MANY_PENDING',
  /** A method was called before the connection was made. */
  notConnected: 'ABCI_NOT_CONNECTED',
  /** The address is neither `tcp://host:port` nor `unix://path`. */
  badAddress: 'ABCI_BAD_ADDRESS',
  /** gRPC is asked for, and its library `@grpc/grpc-js` is not installed. */
  grpcMissing: 'ABCI_GRPC_MISSING',
  /** The server cannot listen. */
  listen: 'ABCI_LISTEN',
} as const

/** A code of {@link AbciError}. */
export type AbciErrorCode = (typeof ABCI_ERRORS)[keyof typeof ABCI_ERRORS]

/** The details of an {@link AbciError}. */
export interface AbciErrorData {
  /** The method of the call that failed. It is missing if the failure belongs to no call. */
  readonly method?: string
  readonly [key: string]: unknown
}

/** An error about a failure between the node and its application. */
export class AbciError extends CodedError<AbciErrorCode, AbciErrorData> {}
