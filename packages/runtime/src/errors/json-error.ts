import { messageOf } from './message-of.ts'

/** Matches the messages of V8 that repeat a part of the text. */
const WITH_TEXT = /is not valid JSON$/

/**
 * Returns the message of an error that JSON.parse threw, without any part of the parsed text. The text may be a secret,
 * such as a damaged file with a private key, and the message may go into a log.
 */
export function jsonErrorMessage(error: unknown): string {
  const message = messageOf(error)
  return error instanceof SyntaxError && WITH_TEXT.test(message) ? 'it is not valid JSON' : message
}
