import { blockIdKey } from '../block-id/block-id.ts'
import { bytesToHex } from '../bytes/index.ts'
import type { Time } from '../time/index.ts'
import { totalVotingPower, validatorByAddress } from '../validators/set.ts'
import type { ValidatorSet } from '../validators/wire.ts'
import type { Vote } from '../vote/wire.ts'
import { EVIDENCE_ERRORS, EvidenceError } from './errors.ts'
import type { DuplicateVoteEvidence, Evidence } from './wire.ts'

/** The data of one height that {@link makeDuplicateVoteEvidence} needs in addition to the two votes. */
export interface EvidenceContext {
  /** The time of the block at the votes' height. */
  readonly blockTime: Time
  /** The validator set at the votes' height. */
  readonly validators: ValidatorSet
}

/** Makes the evidence of two conflicting votes. Throws {@link EvidenceError} if their validator is not in the set. */
export function makeDuplicateVoteEvidence(
  one: Vote,
  other: Vote,
  { blockTime, validators }: EvidenceContext,
): DuplicateVoteEvidence {
  const found = validatorByAddress(validators, one.validatorAddress)
  if (found === undefined) {
    const message = `validator ${bytesToHex(one.validatorAddress)} not in validator set`
    throw new EvidenceError(EVIDENCE_ERRORS.stranger, message)
  }
  const [voteA, voteB] = blockIdKey(one.blockId) < blockIdKey(other.blockId) ? [one, other] : [other, one]
  return {
    voteA,
    voteB,
    totalVotingPower: totalVotingPower(validators),
    validatorPower: found.validator.votingPower,
    timestamp: blockTime,
  }
}

/** Wraps the evidence of two conflicting votes in an {@link Evidence}, the type of the evidence in a block. */
export function duplicateVoteEvidence(value: DuplicateVoteEvidence): Evidence {
  return { sum: { case: 'duplicateVoteEvidence', value } }
}
