import type { FindInvalid, Fraction } from '@org/types'
import type { Time } from '@org/types/time'

/** The conditions of one verification. Durations are nanoseconds. */
export interface VerificationRules {
  /**
   * The time for which a header is trusted, counted from the time in the header. It must be clearly shorter than the
   * unbonding period of the chain: validators that have taken back their stake can sign anything without a loss.
   */
  readonly trustingPeriod: bigint
  /** The present time. */
  readonly now: Time
  /** The maximum time by which a new header may be ahead of `now`. */
  readonly maxClockDrift: bigint
  /**
   * The trust level, a fraction from 1/3 to 1. If the client skips blocks, validators with more than this fraction of
   * the trusted power must have signed the next header. Default: 1/3.
   */
  readonly trustLevel?: Fraction
  /** The function that finds the first invalid signature. Default: the back end of `@org/types`. */
  readonly findInvalid?: FindInvalid
}
