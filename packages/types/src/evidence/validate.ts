import { blockIdKey } from '../block-id/block-id.ts'
import { validateLightBlockBasic } from '../light-block/validate.ts'
import { formatVote, validateVoteBasic } from '../vote/vote.ts'
import type { Vote } from '../vote/wire.ts'
import { EVIDENCE_ERRORS, EvidenceError } from './errors.ts'
import { evidenceSum } from './hash.ts'
import type { DuplicateVoteEvidence, Evidence, LightClientAttackEvidence } from './wire.ts'

const invalid = (message: string, cause?: unknown): EvidenceError =>
  new EvidenceError(EVIDENCE_ERRORS.invalid, message, cause === undefined ? {} : { cause })

function checkVote(name: string, vote: Vote): void {
  try {
    validateVoteBasic(vote)
  } catch (cause) {
    throw invalid(`invalid ${name}: ${(cause as Error).message}`, cause)
  }
}

/**
 * Returns a vote in the form in which Go prints it with `%v`. If the method `String` of the vote panics, Go prints a
 * text about the panic, and this function returns the same text.
 */
function showVote(vote: Vote | undefined): string {
  try {
    return formatVote(vote)
  } catch (error) {
    return `%!v(PANIC=String method: ${(error as Error).message})`
  }
}

function validateDuplicateVoteBasic({ voteA, voteB }: DuplicateVoteEvidence): void {
  if (voteA === undefined || voteB === undefined) {
    throw invalid(`one or both of the votes are empty ${showVote(voteA)}, ${showVote(voteB)}`)
  }
  checkVote('VoteA', voteA)
  checkVote('VoteB', voteB)
  if (blockIdKey(voteA.blockId) >= blockIdKey(voteB.blockId)) throw invalid('duplicate votes in invalid order')
}

function validateLightClientAttackBasic(evidence: LightClientAttackEvidence): void {
  const { conflictingBlock, totalVotingPower, commonHeight } = evidence
  if (conflictingBlock === undefined) throw invalid('conflicting block is nil')
  if (conflictingBlock.signedHeader === undefined) throw invalid('conflicting block missing signed header')
  const { header } = conflictingBlock.signedHeader
  if (header === undefined) throw invalid('conflicting block missing header')
  if (totalVotingPower <= 0n) throw invalid('negative or zero total voting power')
  if (commonHeight <= 0) throw invalid('negative or zero common height')
  if (commonHeight > header.height) {
    throw invalid(`common height is ahead of the conflicting block height (${commonHeight} > ${header.height})`)
  }
  try {
    validateLightBlockBasic(conflictingBlock, header.chainId)
  } catch (cause) {
    throw invalid(`invalid conflicting light block: ${(cause as Error).message}`, cause)
  }
}

/** Throws {@link EvidenceError} on evidence that is not well formed. Signatures are not verified. */
export function validateEvidenceBasic(evidence: Evidence): void {
  const sum = evidenceSum(evidence)
  if (sum.case === 'duplicateVoteEvidence') validateDuplicateVoteBasic(sum.value)
  else validateLightClientAttackBasic(sum.value)
}
