import {
  type Commit,
  type CommitClaim,
  type Header,
  hashValidators,
  VALIDATOR_ERRORS,
  ValidatorError,
  validateSignedHeaderBasic,
  verifyCommitLight,
} from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { formatTime } from '@org/types/time'
import type { LightBlock } from '../block/light-block.ts'
import { type HeaderFault, LIGHT_ERRORS, type LightError, lightError, type MissingPower } from '../errors.ts'
import type { VerificationRules } from './rules.ts'

interface Fault {
  readonly fault: HeaderFault
  readonly message: string
  readonly cause?: unknown
}

/** Makes the error for a new header at `height` that does not follow the trusted one. */
export function invalidHeader(trusted: Header, height: number, { fault, message, cause }: Fault): LightError {
  const heights = { trustedHeight: trusted.height, height }
  const data = { ...heights, fault, ...powerOf(cause), ...(cause instanceof ValidatorError && { cause: cause.code }) }
  return lightError(LIGHT_ERRORS.invalidHeader, `invalid header at height ${height}: ${message}`, { data, cause })
}

/**
 * Returns two powers if `error` means that a commit has too little power: the power that signed the commit, and the
 * power that is needed. Returns `undefined` for every other error.
 */
export function powerOf(error: unknown): MissingPower | undefined {
  if (!(error instanceof ValidatorError) || error.code !== VALIDATOR_ERRORS.commitPower) return undefined
  return { got: String(error.data.got), needed: String(error.data.needed) }
}

/**
 * The headers whose form was checked, each with the commit that was checked together with it. A bisection tries the
 * same block several times. Blocks never change, so one check of their form is enough.
 */
const wellFormed = new WeakMap<Header, Commit>()

function checkForm(trusted: Header, { header, commit }: LightBlock): void {
  if (wellFormed.get(header) === commit && header.chainId === trusted.chainId) return
  try {
    validateSignedHeaderBasic({ header, commit }, trusted.chainId)
    wellFormed.set(header, commit)
  } catch (cause) {
    const fault = header.chainId === trusted.chainId ? 'form' : 'chain'
    throw invalidHeader(trusted, header.height, { fault, message: (cause as Error).message, cause })
  }
}

/**
 * Checks form, chain, height, time and validators of a new header, in the order of the reference's
 * `verifyNewHeaderAndVals`.
 */
export function checkNewHeader(trusted: Header, block: LightBlock, { now, maxClockDrift }: VerificationRules): void {
  const { header, validators } = block
  const refuse = (fault: HeaderFault, message: string): LightError =>
    invalidHeader(trusted, header.height, { fault, message })
  checkForm(trusted, block)
  if (header.height <= trusted.height) {
    throw refuse('height', `its height must be greater than the trusted height ${trusted.height}`)
  }
  if (header.time <= trusted.time) {
    const [time, old] = [formatTime(header.time), formatTime(trusted.time)]
    throw refuse('time', `its time ${time} must be after the time ${old} of the trusted header ${trusted.height}`)
  }
  if (header.time >= now + maxClockDrift) {
    const [time, present] = [formatTime(header.time), formatTime(now)]
    throw refuse('future', `its time ${time} is in the future (now: ${present}, allowed drift: ${maxClockDrift} ns)`)
  }
  const supplied = hashValidators(validators)
  if (equalBytes(header.validatorsHash, supplied)) return
  const [want, got] = [bytesToHex(header.validatorsHash), bytesToHex(supplied)]
  throw refuse('validators', `its validators have the hash ${want}, and the supplied validators have the hash ${got}`)
}

/**
 * Returns a claim that is still to be verified: the block's own validators, with more than 2/3 of their power, signed
 * the block.
 */
export function ownClaim({ chainId }: Header, { header, commit, validators }: LightBlock): CommitClaim {
  return { chainId, validators, blockId: commit.blockId, height: header.height, commit }
}

/** Makes the error for a block that its own validators did not sign. */
export function ownCommitError(trusted: Header, { header }: LightBlock, cause: unknown): LightError {
  return invalidHeader(trusted, header.height, { fault: 'commit', message: (cause as Error).message, cause })
}

/** Verifies that the block's own validators, with more than 2/3 of their power, signed the block. */
export async function checkOwnCommit(trusted: Header, block: LightBlock, rules: VerificationRules): Promise<void> {
  try {
    await verifyCommitLight(ownClaim(trusted, block), rules.findInvalid)
  } catch (cause) {
    throw ownCommitError(trusted, block, cause)
  }
}
