import { CodedError } from '@org/runtime/errors'

export const PARAMS_ERRORS = {
  invalid: 'PARAMS_INVALID',
  update: 'PARAMS_UPDATE_INVALID',
} as const

export type ParamsErrorCode = (typeof PARAMS_ERRORS)[keyof typeof PARAMS_ERRORS]

/** An error about consensus params outside their limits, or an update that is not allowed. */
export class ParamsError extends CodedError<ParamsErrorCode> {}
