import { CodedError } from '@org/runtime/errors'

/** The codes of {@link ParamsError}. */
export const PARAMS_ERRORS = {
  invalid: 'PARAMS_INVALID',
  update: 'PARAMS_UPDATE_INVALID',
} as const

/** A code of {@link ParamsError}. */
export type ParamsErrorCode = (typeof PARAMS_ERRORS)[keyof typeof PARAMS_ERRORS]

/** An error about consensus params outside their limits, or an update that is not allowed. */
export class ParamsError extends CodedError<ParamsErrorCode> {}
