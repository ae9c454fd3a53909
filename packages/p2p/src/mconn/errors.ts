import { CodedError } from '@org/runtime/errors'

export const MCONN_ERRORS = {
  packetSize: 'MCONN_PACKET_SIZE',
  packet: 'MCONN_PACKET',
  unknownChannel: 'MCONN_UNKNOWN_CHANNEL',
  messageSize: 'MCONN_MESSAGE_SIZE',
  /** A message was not complete in time. */
  messageTime: 'MCONN_MESSAGE_TIME',
  /** Unfinished messages of all peers take too much memory, and this peer has held the most for the longest time. */
  receiveBudget: 'MCONN_RECEIVE_BUDGET',
  pongTimeout: 'MCONN_PONG_TIMEOUT',
  closed: 'MCONN_CLOSED',
} as const

/** Why a multiplexed connection ended. */
export class MconnError extends CodedError<(typeof MCONN_ERRORS)[keyof typeof MCONN_ERRORS]> {}
