import { CodedError } from '@org/runtime/errors'

export const ADDRESS_ERRORS = {
  noId: 'ADDRESS_NO_ID',
  invalid: 'ADDRESS_INVALID',
  lookup: 'ADDRESS_LOOKUP',
} as const

export class AddressError extends CodedError<(typeof ADDRESS_ERRORS)[keyof typeof ADDRESS_ERRORS]> {}
