import { type Header, type ValidatorError, verifyCommitLightTrustingAndOwn } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import { checkNotExpired } from './expiry.ts'
import { checkNewHeader, checkOwnCommit, ownClaim, ownCommitError, powerOf } from './new-header.ts'
import type { VerificationRules } from './rules.ts'
import { DEFAULT_TRUST_LEVEL } from './trust-level.ts'

/** A header that is trusted, and the validator set of its height. */
export type TrustedBlock = Pick<LightBlock, 'header' | 'validators'>

/**
 * Verifies the block at the next height after a trusted header. The block must have the validators that the trusted
 * header announced. Validators with more than 2/3 of their power must have signed the block.
 *
 * Throws {@link LightError}: `LIGHT_NOT_ADJACENT`, `LIGHT_HEADER_EXPIRED`, `LIGHT_INVALID_HEADER`,
 * `LIGHT_OTHER_VALIDATORS`. Source: `VerifyAdjacent` in the reference's `light/verifier.go`.
 */
export async function verifyAdjacent(
  { header: trusted }: Pick<TrustedBlock, 'header'>,
  block: LightBlock,
  rules: VerificationRules,
): Promise<void> {
  const { header } = block
  const heights = { trustedHeight: trusted.height, height: header.height }
  if (header.height !== trusted.height + 1) {
    const message = `the headers ${trusted.height} and ${header.height} are not adjacent`
    throw lightError(LIGHT_ERRORS.notAdjacent, message, { data: heights })
  }
  checkNotExpired(trusted, rules)
  checkNewHeader(trusted, block, rules)
  if (!equalBytes(header.validatorsHash, trusted.nextValidatorsHash)) {
    const [expected, got] = [bytesToHex(trusted.nextValidatorsHash), bytesToHex(header.validatorsHash)]
    const message = `the trusted header at height ${trusted.height} announced the validators ${expected}, and the header at height ${header.height} has ${got}`
    throw lightError(LIGHT_ERRORS.otherValidators, message, { data: { ...heights, expected, got } })
  }
  await checkOwnCommit(trusted, block, rules)
}

function trustError(trusted: Header, height: number, cause: ValidatorError): LightError {
  const heights = { trustedHeight: trusted.height, height }
  const power = powerOf(cause)
  if (power !== undefined) {
    const { got, needed } = power
    const message = `too few of the validators at height ${trusted.height} signed the header at height ${height}: their power is ${got}, and more than ${needed} is needed`
    return lightError(LIGHT_ERRORS.notEnoughTrust, message, { data: { ...heights, ...power }, cause })
  }
  const message = `the commit at height ${height} is invalid for the validators at height ${trusted.height}: ${cause.message}`
  return lightError(LIGHT_ERRORS.invalidCommit, message, { data: { ...heights, cause: cause.code }, cause })
}

/**
 * Verifies a block above a trusted header without the blocks between them. Two conditions must be true. First, trusted
 * validators signed the new header, and have more than the trust level (a fraction) of the trusted power. Second,
 * validators of the new header's own set signed it, and have more than 2/3 of the power of this set.
 *
 * A signature that only the second condition needs is verified last, after enough trusted power was found, because an
 * attacker chooses the size of the new set.
 *
 * Throws {@link LightError}: `LIGHT_ADJACENT`, `LIGHT_HEADER_EXPIRED`, `LIGHT_INVALID_HEADER`, `LIGHT_NOT_ENOUGH_TRUST`
 * (the caller may first verify a block between the trusted header and this block), `LIGHT_INVALID_COMMIT`. Source:
 * `VerifyNonAdjacent` in the reference's `light/verifier.go`.
 */
export async function verifyNonAdjacent(
  trusted: TrustedBlock,
  block: LightBlock,
  rules: VerificationRules,
): Promise<void> {
  const [trustedHeight, height] = [trusted.header.height, block.header.height]
  if (height === trustedHeight + 1) {
    const message = `the headers ${trustedHeight} and ${height} are adjacent`
    throw lightError(LIGHT_ERRORS.adjacent, message, { data: { trustedHeight, height } })
  }
  checkNotExpired(trusted.header, rules)
  checkNewHeader(trusted.header, block, rules)
  const { trustLevel = DEFAULT_TRUST_LEVEL, findInvalid } = rules
  const set = { chainId: trusted.header.chainId, validators: trusted.validators, trustLevel }
  const { trusting, own } = await verifyCommitLightTrustingAndOwn(set, ownClaim(trusted.header, block), findInvalid)
  if (trusting !== undefined) throw trustError(trusted.header, height, trusting)
  if (own !== undefined) throw ownCommitError(trusted.header, block, own)
}

/**
 * Does the same as {@link verifyAdjacent} for the next height, and the same as {@link verifyNonAdjacent} for every
 * other height.
 */
export async function verify(trusted: TrustedBlock, block: LightBlock, rules: VerificationRules): Promise<void> {
  const isNext = block.header.height === trusted.header.height + 1
  await (isNext ? verifyAdjacent(trusted, block, rules) : verifyNonAdjacent(trusted, block, rules))
}
