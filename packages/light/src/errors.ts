import { CodedError } from '@org/runtime/errors'
import type { LightClientAttackEvidence } from '@org/types'
import type { Time } from '@org/types/time'

/** The codes of {@link LightError}. */
export const LIGHT_ERRORS = {
  /** `verifyAdjacent` was given a header that is not at the next height. */
  notAdjacent: 'LIGHT_NOT_ADJACENT',
  /** `verifyNonAdjacent` was given the header of the next height. */
  adjacent: 'LIGHT_ADJACENT',
  /** The trusted header is older than the trusting period. */
  expired: 'LIGHT_HEADER_EXPIRED',
  /** The new header is not well formed, does not follow the trusted header, or its own validators did not sign it. */
  invalidHeader: 'LIGHT_INVALID_HEADER',
  /** The trusted header announced other validators than those of the new header. */
  otherValidators: 'LIGHT_OTHER_VALIDATORS',
  /**
   * Too few of the trusted validators signed the new header. The client may still verify the new header if it first
   * verifies a header between the trusted header and the new header.
   */
  notEnoughTrust: 'LIGHT_NOT_ENOUGH_TRUST',
  /** The commit of the new header has an invalid entry of a trusted validator. */
  invalidCommit: 'LIGHT_INVALID_COMMIT',
  /** The trust level is below 1/3 or above 1. */
  trustLevel: 'LIGHT_TRUST_LEVEL',
  /** A part of a light block is missing. */
  incomplete: 'LIGHT_INCOMPLETE_BLOCK',
  /** The provider's chain has not reached the height. */
  heightTooHigh: 'LIGHT_HEIGHT_TOO_HIGH',
  /** The provider has no block of this height, for example because the node has pruned the block. */
  notFound: 'LIGHT_BLOCK_NOT_FOUND',
  /** The provider did not answer, or refused to answer. */
  noResponse: 'LIGHT_NO_RESPONSE',
  /** The provider's answer is not a well-formed light block of this chain and of the requested height. */
  badBlock: 'LIGHT_BAD_BLOCK',
  /** An option is invalid. */
  option: 'LIGHT_OPTION',
  /** No witness is left that could confirm a header. */
  noWitnesses: 'LIGHT_NO_WITNESSES',
  /** The store has no block to begin from, and the options have no height and hash to trust. */
  noTrustedBlock: 'LIGHT_NO_TRUSTED_BLOCK',
  /** The block at the height to trust does not have the hash to trust. */
  trustHash: 'LIGHT_TRUST_HASH',
  /** The stored blocks contradict the options, and the caller did not agree to the removal of these blocks. */
  removalRefused: 'LIGHT_REMOVAL_REFUSED',
  /** A verification between two heights failed. */
  verificationFailed: 'LIGHT_VERIFICATION_FAILED',
  /** The height would be verified backwards, and the option `backwards` is false. */
  backwards: 'LIGHT_BACKWARDS',
  /** A call would take more verifications than `maxSteps` allows. */
  tooManySteps: 'LIGHT_TOO_MANY_STEPS',
  /** No witness confirmed the header. */
  unconfirmed: 'LIGHT_UNCONFIRMED',
  /**
   * A witness has another header at the height to trust. Or the header that a caller wants to verify is not the chain's
   * header at its height.
   */
  conflict: 'LIGHT_CONFLICTING_HEADER',
  /** A witness has the same header, with other proposer priorities. */
  priorities: 'LIGHT_PROPOSER_PRIORITIES',
  /**
   * An attack: the primary and a witness have different valid headers. Evidence was sent to the witness. Evidence was
   * also sent to the primary if the header of the primary could be verified step by step.
   */
  attack: 'LIGHT_ATTACK',
  /** An answer of a node contradicts a verified header, or does not fit the call. */
  wrongAnswer: 'LIGHT_WRONG_ANSWER',
  /**
   * An answer of a node has no proof, or nothing can prove the answer. For example, nothing proves that a block does
   * not exist.
   */
  unprovable: 'LIGHT_UNPROVABLE',
  /** The database of trusted blocks failed. */
  store: 'LIGHT_STORE',
} as const

/** A code of {@link LightError}. */
export type LightErrorCode = (typeof LIGHT_ERRORS)[keyof typeof LIGHT_ERRORS]

/**
 * An error of the light client. If {@link isLightFailure} is true for it, TypeScript derives the type of its data from
 * its code.
 */
export class LightError extends CodedError<LightErrorCode> {}

/** Voting powers in decimal digits: the power that signed, and the power that must be exceeded. */
export interface MissingPower {
  readonly got: string
  readonly needed: string
}

/**
 * The name of the check that a new header failed. `commit` means that the validators of the new header did not sign it
 * with more than 2/3 of their power.
 */
export type HeaderFault = 'form' | 'chain' | 'height' | 'time' | 'future' | 'validators' | 'hash' | 'commit'

/** The kinds of faults of a store. */
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

/** The name of a provider, and the height of the requested block. A missing height means the latest block. */
interface ProviderFault {
  readonly provider: string
  readonly height?: number
  /** The reason why the answer is invalid or missing. */
  readonly reason?: string
}

/** An attack on a light client: two nodes sent different headers of one height. */
export interface DetectedAttack {
  /** The height of the conflicting header of the primary. */
  readonly height: number
  /** The greatest of the compared heights at which primary and witness have the same header. */
  readonly commonHeight: number
  readonly primary: string
  readonly witness: string
  /** The evidence that was sent to the witness. */
  readonly againstPrimary: LightClientAttackEvidence
  /**
   * The evidence that was sent to the primary. It is present only if the client could verify the primary's blocks from
   * the common height to the conflicting header. Without these blocks, the client cannot show that the witness is
   * wrong.
   */
  readonly againstWitness?: LightClientAttackEvidence
}

/**
 * The errors of this package, with the data of each code. Hashes are in hexadecimal; times are nanoseconds since 1970.
 */
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
  | Failure<
      | typeof LIGHT_ERRORS.heightTooHigh
      | typeof LIGHT_ERRORS.notFound
      | typeof LIGHT_ERRORS.noResponse
      | typeof LIGHT_ERRORS.badBlock,
      ProviderFault
    >
  | Failure<typeof LIGHT_ERRORS.option, { readonly option: string }>
  | Failure<typeof LIGHT_ERRORS.noWitnesses | typeof LIGHT_ERRORS.noTrustedBlock, object>
  | Failure<typeof LIGHT_ERRORS.trustHash, { readonly height: number; readonly expected: string; readonly got: string }>
  | Failure<typeof LIGHT_ERRORS.removalRefused, { readonly height: number }>
  | Failure<
      typeof LIGHT_ERRORS.verificationFailed,
      { readonly from: number; readonly to: number; readonly cause: string }
    >
  | Failure<typeof LIGHT_ERRORS.tooManySteps, { readonly from: number; readonly to: number; readonly limit: number }>
  | Failure<typeof LIGHT_ERRORS.unconfirmed | typeof LIGHT_ERRORS.backwards, { readonly height: number }>
  | Failure<
      typeof LIGHT_ERRORS.conflict | typeof LIGHT_ERRORS.priorities,
      { readonly height: number; readonly other: string; readonly expected: string; readonly got: string }
    >
  | Failure<typeof LIGHT_ERRORS.attack, DetectedAttack>
  | Failure<
      typeof LIGHT_ERRORS.wrongAnswer | typeof LIGHT_ERRORS.unprovable,
      { readonly method: string; readonly reason: string }
    >
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

/** Makes an error. The type of `data` depends on the code. */
export function lightError<Code extends LightErrorCode>(
  code: Code,
  message: string,
  { data, cause }: { readonly data: DataOf<Code>; readonly cause?: unknown },
): LightError {
  return new LightError(code, message, { data: { ...(data as object) }, ...(cause === undefined ? {} : { cause }) })
}
