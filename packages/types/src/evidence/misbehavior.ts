import { type Misbehavior, MisbehaviorType } from '../abci/index.ts'
import { bytesToHex } from '../bytes/index.ts'
import { addressOf } from '../crypto/keys.ts'
import type { Time } from '../time/index.ts'
import { formatVote } from '../vote/vote.ts'
import { evidenceSum, hashEvidenceItem } from './hash.ts'
import type { Evidence } from './wire.ts'

/** Returns the height of the misbehaviour. */
export function evidenceHeight(evidence: Evidence): number {
  const sum = evidenceSum(evidence)
  return sum.case === 'duplicateVoteEvidence' ? (sum.value.voteA?.height ?? 0) : sum.value.commonHeight
}

/** Returns the time of the misbehaviour. */
export function evidenceTime(evidence: Evidence): Time {
  return evidenceSum(evidence).value.timestamp
}

/** Returns evidence in the form that the application receives: one entry per validator that misbehaved. */
export function evidenceToMisbehavior(evidence: Evidence): readonly Misbehavior[] {
  const sum = evidenceSum(evidence)
  const common = {
    height: evidenceHeight(evidence),
    time: sum.value.timestamp,
    totalVotingPower: sum.value.totalVotingPower,
  }
  if (sum.case === 'duplicateVoteEvidence') {
    const address = sum.value.voteA?.validatorAddress ?? new Uint8Array(0)
    return [{ ...common, type: MisbehaviorType.duplicateVote, validator: { address, power: sum.value.validatorPower } }]
  }
  return sum.value.byzantineValidators.map(({ pubKey, votingPower }) => ({
    ...common,
    type: MisbehaviorType.lightClientAttack,
    validator: { address: addressOf(pubKey), power: votingPower },
  }))
}

/** Returns a block's evidence in the form that the application receives. */
export function evidenceListToMisbehavior(list: readonly Evidence[]): readonly Misbehavior[] {
  return list.flatMap(evidenceToMisbehavior)
}

/** Returns a short text about the evidence, for log lines and errors. */
export function formatEvidence(evidence: Evidence): string {
  const sum = evidenceSum(evidence)
  if (sum.case === 'duplicateVoteEvidence') {
    return `DuplicateVoteEvidence{VoteA: ${formatVote(sum.value.voteA)}, VoteB: ${formatVote(sum.value.voteB)}}`
  }
  return `LightClientAttackEvidence{CommonHeight: ${sum.value.commonHeight}}#${bytesToHex(hashEvidenceItem(evidence))}`
}
