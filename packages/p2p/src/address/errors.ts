import { CodedError } from '@org/runtime/errors'

/** The codes of {@link AddressError}. */
export const ADDRESS_ERRORS = {
  noId: 'ADDRESS_NO_ID',
  invalid: 'ADDRESS_INVALID',
  lookup: 'ADDRESS_LOOKUP',
} as const

/** The error for an address of a peer that is invalid or cannot be looked up. */
export class AddressError extends CodedError<(typeof ADDRESS_ERRORS)[keyof typeof ADDRESS_ERRORS]> {}
