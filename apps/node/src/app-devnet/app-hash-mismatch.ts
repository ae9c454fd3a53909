import { HANDSHAKE_ERRORS } from '@org/engine'
import { type CodedError, isCodedError } from '@org/runtime/errors'
import { APP_ERRORS, AppError } from './errors.ts'

/** Returns true if the error says that the application, after a replay, has another app hash than the chain. */
export function isAppHashMismatch(error: unknown): error is CodedError {
  return isCodedError(error, HANDSHAKE_ERRORS.appHashMismatch)
}

function shownHash(hash: unknown): string {
  const hex = String(hash)
  if (hex === '') return '(empty)'
  const text = Buffer.from(hex, 'hex').toString('latin1')
  return /^[\x20-\x7e]+$/.test(text) ? `${hex} (${JSON.stringify(text)})` : hex
}

/** Returns a text with the app hash of the chain and the app hash of the application, each on its own line. */
function difference({ data }: CodedError): string {
  return `after block ${data.height} the application has another app hash than the chain:
         chain        ${shownHash(data.chainAppHash)}
         application  ${shownHash(data.appHash)}`
}

/** The possible reasons why the app hash differs after a change of the application. */
const REASONS = `         Either the change has an effect on old blocks, or the application does not always compute the same
         (it uses a clock, random numbers, the network, or the order of a loop).`

/**
 * Returns the text that informs the user of a new chain. The new chain begins because the application's app hash
 * differs from the app hash of the old chain. The text contains both hashes and the possible reasons.
 */
export function newChainAdvice(error: CodedError): string {
  return `A new chain begins: ${difference(error)}\n${REASONS}`
}

/** Returns the error for a chain that another version of the application made, and that must not be removed. */
export function appHashMismatch(error: CodedError): AppError {
  const message = `${difference(error)}\nAnother version of the application made this chain. Start a new chain with --reset; a devnet that is running does this by itself after a change.`
  return new AppError(APP_ERRORS.otherHash, message, { data: error.data, cause: error })
}

/**
 * Returns the error for a chain that another version of the application made, in a home that the command `devnet` did
 * not make. `devnet` never removes the chain of such a home.
 */
export function appHashMismatchOfHome(error: CodedError, home: string): AppError {
  const message = `${difference(error)}\nAnother version of the application made this chain. halley devnet did not make ${home}, so it keeps the chain of this home. Start the earlier version of the application, or remove the data of this home with halley unsafe-reset-all --home ${home}.`
  return new AppError(APP_ERRORS.otherHash, message, { data: error.data, cause: error })
}
