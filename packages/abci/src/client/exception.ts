import { ABCI_ERRORS, AbciError } from '../errors.ts'

/**
 * Returns the error of a call that the application answered with an exception. The text begins with the name of the
 * method. The name is not added if the text has it already: servers such as Halley's write it into the text of a
 * refused answer.
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
