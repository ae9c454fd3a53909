import { CodedError } from '@org/runtime/errors'

/** The codes of {@link MconnError}. */
export const MCONN_ERRORS = {
  packetSize: 'MCONN_PACKET_SIZE',
  packet: 'MCONN_PACKET',
  unknownChannel: 'MCONN_UNKNOWN_CHANNEL',
  messageSize: 'MCONN_MESSAGE_SIZE',
  /** A message was not complete within its time limit. */
  messageTime: 'MCONN_MESSAGE_TIME',
  /** The unfinished messages of all peers take too much memory, and those of this peer are the largest and oldest. */
  receiveBudget: 'MCONN_RECEIVE_BUDGET',
  pongTimeout: 'MCONN_PONG_TIMEOUT',
  closed: 'MCONN_CLOSED',
} as const

/** An error that ends a multiplexed connection. */
export class MconnError extends CodedError<(typeof MCONN_ERRORS)[keyof typeof MCONN_ERRORS]> {}
