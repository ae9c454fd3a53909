import { CodedError } from '@org/runtime/errors'

/** The codes of {@link AppError}. */
export const APP_ERRORS = {
  /** An option of the application, a message or a query is invalid. */
  option: 'APP_BAD_OPTION',
  /** The genesis document's `app_state` does not fit the schema. */
  genesis: 'APP_BAD_GENESIS',
  /** A key or a value that the state cannot hold. */
  pair: 'APP_BAD_PAIR',
  /** The version of the state is no longer kept, or does not exist yet. */
  version: 'APP_NO_VERSION',
  /** The stored state is damaged, or was made by another program. */
  corrupt: 'APP_BAD_STATE',
  /** The node's calls do not fit together, for example a block without InitChain before it. */
  order: 'APP_CALL_ORDER',
  /** The database is open in another process. */
  locked: 'APP_STORAGE_LOCKED',
  /** The database cannot be opened, read or written. */
  storage: 'APP_STORAGE',
  /** The application refused a transaction. See {@link refuse}. */
  refused: 'APP_REFUSED',
  /** A chunk of a snapshot is damaged, or a snapshot is too large. */
  snapshot: 'APP_BAD_SNAPSHOT',
  /** A transaction cannot be made from the given values. */
  transaction: 'APP_BAD_TRANSACTION',
} as const

/** A code of {@link AppError}. */
export type AppErrorCode = (typeof APP_ERRORS)[keyof typeof APP_ERRORS]

/** The error of an application, its state and its snapshots. Its code is one of {@link APP_ERRORS}. */
export class AppError extends CodedError<AppErrorCode> {}

/**
 * The result codes of the library, in the codespace `app`. An application itself chooses the codes for {@link refuse}.
 */
export const TX_CODES = {
  ok: 0,
  /** The bytes are not a transaction. */
  malformed: 1,
  /** No message has this type. */
  unknownType: 2,
  /** The value does not fit the schema of its message. */
  badValue: 3,
  /** The key did not sign this transaction for this chain. */
  badSignature: 4,
  /** The nonce is not the signer's next one. */
  badNonce: 5,
  outOfGas: 6,
  /** A handler threw an error that is not a refusal. */
  failed: 7,
} as const

/**
 * The reason why a transaction or a query is refused. The result takes its code and log from this error. The changes of
 * the handler are undone.
 */
export class Refusal extends AppError {
  /** The code of the result; above 0. */
  readonly resultCode: number
  readonly codespace: string

  constructor(message: string, options: { readonly code: number; readonly codespace: string }) {
    super(APP_ERRORS.refused, message, { data: { ...options } })
    this.resultCode = options.code
    this.codespace = options.codespace
  }
}

/** The codespace of the library's own result codes, {@link TX_CODES}. */
export const CODESPACE = 'app'

/** Throws the refusal of a transaction or a query. `code` is a number of your own, from 1; default: 1. */
export function refuse(message: string, code = 1): never {
  if (!Number.isSafeInteger(code) || code < 1 || code > 0xffff_ffff) {
    throw new AppError(APP_ERRORS.option, `the code of a refusal must be a whole number from 1, got ${code}`)
  }
  throw new Refusal(message, { code, codespace: '' })
}

/** Makes a refusal with a code of the library, in the library's codespace. */
export const refusal = (code: number, message: string): Refusal => new Refusal(message, { code, codespace: CODESPACE })
