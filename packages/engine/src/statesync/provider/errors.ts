import { CodedError } from '@org/runtime/errors'

/** A fact that no server proves now. State sync tries again. */
export const PROVIDER_ERRORS = {
  /** Fewer than two servers sent consensus parameters that fit the header. */
  noParams: 'STATESYNC_NO_PARAMETERS',
} as const
export type ProviderErrorCode = (typeof PROVIDER_ERRORS)[keyof typeof PROVIDER_ERRORS]

export class ProviderError extends CodedError<ProviderErrorCode> {}
