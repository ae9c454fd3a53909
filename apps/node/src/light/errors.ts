import { LIGHT_ERRORS, LightError } from '@org/light'
import { CodedError, isCodedError, messageOf } from '@org/runtime'

export const LIGHT_PROXY_ERRORS = {
  subscribed: 'LIGHT_ALREADY_SUBSCRIBED',
  notSubscribed: 'LIGHT_NOT_SUBSCRIBED',
  full: 'LIGHT_TOO_MANY_QUERIES',
  unsupported: 'LIGHT_UNSUPPORTED',
  /** The primary sent an event that does not match the query. */
  wrongEvent: 'LIGHT_WRONG_EVENT',
  /** The primary answered the call with an error. */
  refused: 'LIGHT_REFUSED',
  /** The answer to the call was not verified within the time limit. */
  late: 'LIGHT_TOO_LATE',
  /** There are already as many calls for old heights as the proxy accepts. */
  busy: 'LIGHT_BUSY',
} as const

type Code = (typeof LIGHT_PROXY_ERRORS)[keyof typeof LIGHT_PROXY_ERRORS]

export class LightProxyError extends CodedError<Code> {}

/**
 * The codes of the errors that have the same text as in the reference. This text gets no code at its end, because
 * clients may compare the text.
 */
const AS_REFERENCE: readonly string[] = [
  LIGHT_PROXY_ERRORS.refused,
  LIGHT_PROXY_ERRORS.subscribed,
  LIGHT_PROXY_ERRORS.notSubscribed,
  LIGHT_ERRORS.option,
]

/**
 * Returns the text of an error for a client. The code is at the end of the text, because an answer of the RPC has no
 * field for it.
 */
export function textFor(error: unknown): string {
  const text = messageOf(error)
  return isCodedError(error) && !AS_REFERENCE.includes(error.code) ? `${text} [${error.code}]` : text
}

/** The advice to the user for each error that can make the start of a proxy fail. The key is the code of the error. */
const ADVICE: Readonly<Record<string, string>> = {
  [LIGHT_ERRORS.badBlock]: 'check the chain id, and the addresses in --primary and --witnesses',
  [LIGHT_ERRORS.noResponse]: 'check the addresses in --primary and --witnesses, and that the nodes run',
  [LIGHT_ERRORS.heightTooHigh]: 'choose a --height that the nodes have reached, with its --hash',
  [LIGHT_ERRORS.notFound]:
    'choose a newer --height with its --hash, from `halley snapshot trust-root`, or a node that has this block',
  [LIGHT_ERRORS.noTrustedBlock]: 'start with --height and --hash; see halley light --help',
  [LIGHT_ERRORS.trustHash]: 'correct --height and --hash, or check that --primary is a node of your chain',
  [LIGHT_ERRORS.expired]: 'start with a newer --height and --hash, from `halley snapshot trust-root`',
  [LIGHT_ERRORS.conflict]: 'start again as soon as the nodes of --primary and --witnesses agree',
  [LIGHT_ERRORS.priorities]: 'start again as soon as the nodes of --primary and --witnesses agree',
  [LIGHT_ERRORS.removalRefused]: 'start with --yes to remove them, or with another --home-dir',
  [LIGHT_ERRORS.noWitnesses]: 'name other nodes with --witnesses',
}

/** Returns the error of a failed start, with advice about the flags to correct. */
export function withAdvice(error: unknown): unknown {
  const advice = error instanceof LightError ? ADVICE[error.code] : undefined
  if (!(error instanceof LightError) || advice === undefined) return error
  return new LightError(error.code, `${error.message}. To correct it, ${advice}`, { data: error.data, cause: error })
}
