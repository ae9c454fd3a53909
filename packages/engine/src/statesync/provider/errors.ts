import { CodedError } from '@org/runtime/errors'

/** The codes of errors for data that the servers cannot prove now. State sync tries again later. */
export const PROVIDER_ERRORS = {
  /** Fewer than two servers sent consensus parameters that fit the header. */
  noParams: 'STATESYNC_NO_PARAMETERS',
  /** Fewer than two servers sent the verified block, so its proposer priorities are not confirmed. */
  noPriorities: 'STATESYNC_NO_PRIORITIES',
} as const
/** A code of {@link ProviderError}. */
export type ProviderErrorCode = (typeof PROVIDER_ERRORS)[keyof typeof PROVIDER_ERRORS]

/** The error for data that the servers cannot prove now. */
export class ProviderError extends CodedError<ProviderErrorCode> {}
