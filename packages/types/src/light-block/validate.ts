import { bytesToHex, equalBytes } from '../bytes/index.ts'
import { validateCommitBasic } from '../commit/validate-commit.ts'
import { hashHeader } from '../header/hash-header.ts'
import { validateHeaderBasic } from '../header/validate-header.ts'
import { VALIDATOR_ERRORS, ValidatorError } from '../validators/errors.ts'
import { hashValidators, validateValidatorSetBasic } from '../validators/set.ts'
import type { LightBlock, SignedHeader } from './wire.ts'

const invalid = (message: string, cause?: unknown): ValidatorError =>
  new ValidatorError(VALIDATOR_ERRORS.lightBlock, message, cause === undefined ? {} : { cause })

function wrap(prefix: string, check: () => void): void {
  try {
    check()
  } catch (cause) {
    throw invalid(`${prefix}: ${(cause as Error).message}`, cause)
  }
}

/** Throws {@link ValidatorError} unless header and commit are well formed and belong to each other and to the chain. */
export function validateSignedHeaderBasic({ header, commit }: SignedHeader, chainId: string): void {
  if (header === undefined) throw invalid('missing header')
  if (commit === undefined) throw invalid('missing commit')
  wrap('invalid header', () => validateHeaderBasic(header))
  wrap('invalid commit', () => validateCommitBasic(commit))
  if (header.chainId !== chainId) {
    throw invalid(`header belongs to another chain ${JSON.stringify(header.chainId)}, not ${JSON.stringify(chainId)}`)
  }
  if (commit.height !== header.height) {
    throw invalid(`header and commit height mismatch: ${header.height} vs ${commit.height}`)
  }
  const hash = hashHeader(header)
  if (!equalBytes(hash, commit.blockId.hash)) {
    throw invalid(`commit signs block ${bytesToHex(commit.blockId.hash)}, header is block ${bytesToHex(hash)}`)
  }
}

/** Throws {@link ValidatorError} unless header, commit and validators are well formed and belong to each other. */
export function validateLightBlockBasic({ signedHeader, validatorSet }: LightBlock, chainId: string): void {
  if (signedHeader === undefined) throw invalid('missing signed header')
  if (validatorSet === undefined) throw invalid('missing validator set')
  wrap('invalid signed header', () => validateSignedHeaderBasic(signedHeader, chainId))
  wrap('invalid validator set', () => validateValidatorSetBasic(validatorSet))
  const want = signedHeader.header?.validatorsHash ?? new Uint8Array(0)
  const got = hashValidators(validatorSet)
  if (!equalBytes(want, got)) {
    const message = `expected validator hash of header to match validator set hash (${bytesToHex(want)} != ${bytesToHex(got)})`
    throw invalid(message)
  }
}
