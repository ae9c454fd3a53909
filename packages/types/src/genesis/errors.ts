import { CodedError } from '@org/runtime/errors'

/** The codes of {@link GenesisError}. */
export const GENESIS_ERRORS = {
  syntax: 'GENESIS_SYNTAX',
  field: 'GENESIS_FIELD',
  invalid: 'GENESIS_INVALID',
} as const

/** A code of {@link GenesisError}. */
export type GenesisErrorCode = (typeof GENESIS_ERRORS)[keyof typeof GENESIS_ERRORS]

/** An error about a genesis document that cannot be read, or with which no chain can start. */
export class GenesisError extends CodedError<GenesisErrorCode> {}
