import { CodedError } from '@org/runtime/errors'
import type { Time } from '@org/types/time'

export const LIGHT_ERRORS = {
  /** `verifyAdjacent` was given a header that is not at the next height. */
  notAdjacent: 'LIGHT_NOT_ADJACENT',
  /** `verifyNonAdjacent` was given the header of the next height. */
  adjacent: 'LIGHT_ADJACENT',
  /** The trusted header is older than the trusting period. */
  expired: 'LIGHT_HEADER_EXPIRED',
  /** The new header is not well formed, does not follow the trusted header, or its own validators did not sign it. */
  invalidHeader: 'LIGHT_INVALID_HEADER',
  /** The validators of the new header are not the ones that the trusted header announced. */
  otherValidators: 'LIGHT_OTHER_VALIDATORS',
  /** Too few of the trusted validators signed the new header. A header between the two may still connect them. */
  notEnoughTrust: 'LIGHT_NOT_ENOUGH_TRUST',
  /** The commit of the new header has an invalid entry of a trusted validator. */
  invalidCommit: 'LIGHT_INVALID_COMMIT',
  /** The trust level is not within 1/3 and 1. */
  trustLevel: 'LIGHT_TRUST_LEVEL',
  /** A part of a light block is missing. */
  incomplete: 'LIGHT_INCOMPLETE_BLOCK',
  /** The storage of trusted blocks failed. */
  store: 'LIGHT_STORE',
} as const

export type LightErrorCode = (typeof LIGHT_ERRORS)[keyof typeof LIGHT_ERRORS]

/** An error of the light client. {@link isLightFailure} gives it the type of its data. */
export class LightError extends CodedError<LightErrorCode> {}

/** Voting power, as decimal digits: what signed, and what must be exceeded. */
export interface MissingPower {
  readonly got: string
  readonly needed: string
}

/** The check that a new header failed. `commit`: its own validators did not sign it with more than 2/3 of their power. */
export type HeaderFault = 'form' | 'chain' | 'height' | 'time' | 'future' | 'validators' | 'hash' | 'commit'

/** The fault of a store. */
export type StoreFault = 'locked' | 'full' | 'denied' | 'corrupt' | 'closed' | 'io'

interface Failure<Code extends LightErrorCode, Data> extends Error {
  readonly code: Code
  readonly data: Data
}

/** The heights of the two headers of a verification. */
interface Heights {
  readonly trustedHeight: number
  readonly height: number
}

/** The errors of this package with the data of each code. Hashes are hex; times are nanoseconds since 1970. */
export type LightFailure =
  | Failure<typeof LIGHT_ERRORS.notAdjacent | typeof LIGHT_ERRORS.adjacent, Heights>
  | Failure<
      typeof LIGHT_ERRORS.expired,
      { readonly trustedHeight: number; readonly expiredAt: Time; readonly now: Time }
    >
  | Failure<
      typeof LIGHT_ERRORS.invalidHeader,
      Heights & Partial<MissingPower> & { readonly fault: HeaderFault; readonly cause?: string }
    >
  | Failure<typeof LIGHT_ERRORS.otherValidators, Heights & { readonly expected: string; readonly got: string }>
  | Failure<typeof LIGHT_ERRORS.notEnoughTrust, Heights & MissingPower>
  | Failure<typeof LIGHT_ERRORS.invalidCommit, Heights & { readonly cause: string }>
  | Failure<typeof LIGHT_ERRORS.trustLevel, { readonly trustLevel: string }>
  | Failure<typeof LIGHT_ERRORS.incomplete, { readonly missing: string }>
  | Failure<typeof LIGHT_ERRORS.store, { readonly path: string; readonly fault: StoreFault }>

/** True for an error of this package. */
export function isLightFailure(error: unknown): error is LightFailure {
  return error instanceof LightError
}

type DataOf<Code, F = LightFailure> = F extends { readonly code: infer C; readonly data: infer D }
  ? Code extends C
    ? D
    : never
  : never

/** Makes an error whose data has the type that its code promises. */
export function lightError<Code extends LightErrorCode>(
  code: Code,
  message: string,
  { data, cause }: { readonly data: DataOf<Code>; readonly cause?: unknown },
): LightError {
  return new LightError(code, message, { data: { ...(data as object) }, ...(cause === undefined ? {} : { cause }) })
}
