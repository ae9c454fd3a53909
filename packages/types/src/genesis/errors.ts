import { CodedError } from '@org/runtime/errors'

export const GENESIS_ERRORS = {
  syntax: 'GENESIS_SYNTAX',
  field: 'GENESIS_FIELD',
  invalid: 'GENESIS_INVALID',
} as const

export type GenesisErrorCode = (typeof GENESIS_ERRORS)[keyof typeof GENESIS_ERRORS]

/** An error about a genesis document that cannot be read, or with which no chain can start. */
export class GenesisError extends CodedError<GenesisErrorCode> {}
