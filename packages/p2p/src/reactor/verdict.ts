import { isCodedError, messageOf } from '@org/runtime/errors'

/**
 * The decision about a message of a peer. `code` names the fault for programs, and is a label of metrics; `reason`
 * describes the fault for people. After a rejected message, the peer loses its connection and some points. A peer
 * without points is banned for a time.
 */
export type Verdict =
  | { readonly type: 'accept' }
  | { readonly type: 'ignore'; readonly code: string; readonly reason: string }
  | { readonly type: 'reject'; readonly code: string; readonly reason: string; readonly points: number }

/**
 * The points that a peer loses for a usual fault. With this number, a peer may connect again a few times before it is
 * banned.
 */
const USUAL_POINTS = 20

/** The codes of verdicts that every protocol shares. */
export const MESSAGE_FAULTS = {
  /** The bytes are not a message of the protocol, or the handler of the message threw an error without a code. */
  unreadable: 'MESSAGE_UNREADABLE',
  unknownKind: 'MESSAGE_UNKNOWN_KIND',
  /** The message came on a wrong channel: another channel of the protocol carries messages of this kind. */
  otherChannel: 'MESSAGE_OTHER_CHANNEL',
  /** The peer disconnected before the message was handled. */
  gone: 'MESSAGE_PEER_GONE',
} as const

/** The verdict that the message is valid. */
export const ACCEPT: Verdict = { type: 'accept' }

/** Returns the verdict that the message has no effect. The peer keeps its connection and its points. */
export function ignore(code: string, reason: string): Verdict {
  return { type: 'ignore', code, reason }
}

/** Returns the verdict that the message is a fault of the peer. The peer loses its connection and `points`. */
export function reject(code: string, reason: string, points: number = USUAL_POINTS): Verdict {
  return { type: 'reject', code, reason, points }
}

/** Rejects a message because of an error. The verdict has the code of the error, or `MESSAGE_UNREADABLE`. */
export function rejectError(error: unknown, points: number = USUAL_POINTS): Verdict {
  return reject(isCodedError(error) ? error.code : MESSAGE_FAULTS.unreadable, messageOf(error), points)
}
