import { ABCI_ERRORS, AbciError } from '../errors.ts'

/**
 * Returns the error of a call that the application answered with an exception. The message of the error begins with the
 * name of the method. Some servers, such as Halley's, already put the name at the beginning of `text`. Then the name is
 * not added again.
 */
export function exceptionOf(method: string | undefined, text: string, more: ErrorDetails = {}): AbciError {
  const prefix = `${method ?? 'no call'}: `
  const message = text.startsWith(prefix) ? text : prefix + text
  const data = { ...(method === undefined ? {} : { method }), ...more.data }
  return new AbciError(ABCI_ERRORS.exception, message, { data, cause: more.cause })
}

interface ErrorDetails {
  readonly data?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}
