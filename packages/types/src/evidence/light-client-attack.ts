import { BlockIdFlag } from '../block-id/id.ts'
import { equalBytes } from '../bytes/index.ts'
import type { Header } from '../header/header.ts'
import type { SignedHeader } from '../light-block/wire.ts'
import { compareByPower, validatorByAddress } from '../validators/set.ts'
import type { Validator, ValidatorSet } from '../validators/wire.ts'
import { EVIDENCE_ERRORS, EvidenceError } from './errors.ts'
import type { LightClientAttackEvidence } from './wire.ts'

const missing = (what: string): EvidenceError => new EvidenceError(EVIDENCE_ERRORS.missing, `missing ${what}`)

const DERIVED = ['validatorsHash', 'nextValidatorsHash', 'consensusHash', 'appHash', 'lastResultsHash'] as const

/**
 * True if the conflicting header differs from the chain's header in a field that follows from earlier blocks. No honest
 * validator signs such a header. An attack with such a header is a lunatic attack.
 */
export function isConflictingHeaderInvalid(evidence: LightClientAttackEvidence, trusted: Header): boolean {
  const header = evidence.conflictingBlock?.signedHeader?.header
  if (header === undefined) throw missing('conflicting header')
  return DERIVED.some((name) => !equalBytes(trusted[name], header[name]))
}

/**
 * Returns the validators that took part in the attack, in the order of their power. For a lunatic attack they are the
 * validators of the common height that signed the conflicting block. For an equivocation (same round) they are the
 * validators that signed both blocks. For an amnesia attack (another round) the list is empty, because the guilty
 * validators cannot be determined.
 */
export function byzantineValidators(
  evidence: LightClientAttackEvidence,
  commonValidators: ValidatorSet,
  trusted: SignedHeader,
): readonly Validator[] {
  const { signedHeader, validatorSet } = evidence.conflictingBlock ?? {}
  if (signedHeader?.commit === undefined || validatorSet === undefined)
    throw missing('the conflicting commit or the conflicting validators')
  if (trusted.header === undefined || trusted.commit === undefined)
    throw missing('the trusted header or the trusted commit')

  const signers = signedHeader.commit.signatures
  const forBlock = (index: number): boolean => signers[index]?.blockIdFlag === BlockIdFlag.commit
  let guilty: readonly (Validator | undefined)[] = []
  if (isConflictingHeaderInvalid(evidence, trusted.header)) {
    guilty = signers
      .filter((_, index) => forBlock(index))
      .map(({ validatorAddress }) => validatorByAddress(commonValidators, validatorAddress)?.validator)
  } else if (trusted.commit.round === signedHeader.commit.round) {
    const others = trusted.commit.signatures
    guilty = signers
      .filter((_, index) => forBlock(index) && others[index]?.blockIdFlag === BlockIdFlag.commit)
      .map(({ validatorAddress }) => validatorByAddress(validatorSet, validatorAddress)?.validator)
  }
  return guilty.filter((validator) => validator !== undefined).sort(compareByPower)
}
