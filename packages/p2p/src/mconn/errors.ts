import { CodedError } from '@org/runtime/errors'

export const MCONN_ERRORS = {
  packetSize: 'MCONN_PACKET_SIZE',
  packet: 'MCONN_PACKET',
  unknownChannel: 'MCONN_UNKNOWN_CHANNEL',
  messageSize: 'MCONN_MESSAGE_SIZE',
  pongTimeout: 'MCONN_PONG_TIMEOUT',
  closed: 'MCONN_CLOSED',
} as const

/** Why a multiplexed connection ended. */
export class MconnError extends CodedError<(typeof MCONN_ERRORS)[keyof typeof MCONN_ERRORS]> {}
