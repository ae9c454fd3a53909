import {
  type DuplicateVoteEvidence,
  equalBlockIds,
  formatBlockId,
  SignedMsgType,
  totalVotingPower,
  type ValidatorSet,
  type Vote,
  validatorByAddress,
  voteSignBytes,
} from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { addressOf, formatPublicKey, verifySignature } from '@org/types/crypto'
import type { SignatureChecker } from '../signatures/index.ts'
import { invalid } from './errors.ts'

const TYPE_NAMES: Readonly<Record<number, string>> = {
  [SignedMsgType.unknown]: 'SIGNED_MSG_TYPE_UNKNOWN',
  [SignedMsgType.prevote]: 'SIGNED_MSG_TYPE_PREVOTE',
  [SignedMsgType.precommit]: 'SIGNED_MSG_TYPE_PRECOMMIT',
  [SignedMsgType.proposal]: 'SIGNED_MSG_TYPE_PROPOSAL',
}

const step = ({ height, round, type }: Vote): string => `${height}/${round}/${TYPE_NAMES[type] ?? type}`

export interface DuplicateVoteContext {
  readonly chainId: string
  /** The validators of the height of the two votes. */
  readonly validators: ValidatorSet
  readonly verify?: SignatureChecker['verify']
}

/**
 * Throws an `EvidenceError` unless the two votes conflict, and one of `validators` signed both of them. `validators` is
 * the validator set of the votes' height.
 */
export function verifyDuplicateVote(
  evidence: DuplicateVoteEvidence,
  { chainId, validators, verify = verifySignature }: DuplicateVoteContext,
): void {
  const { voteA, voteB, validatorPower } = evidence
  if (voteA === undefined || voteB === undefined) throw invalid('one or both of the votes are empty')
  const address = bytesToHex(voteA.validatorAddress)
  const validator = validatorByAddress(validators, voteA.validatorAddress)?.validator
  if (validator === undefined) throw invalid(`address ${address} was not a validator at height ${voteA.height}`)
  if (step(voteA) !== step(voteB)) throw invalid(`h/r/s does not match: ${step(voteA)} vs ${step(voteB)}`)
  if (!equalBytes(voteA.validatorAddress, voteB.validatorAddress)) {
    throw invalid(`validator addresses do not match: ${address} vs ${bytesToHex(voteB.validatorAddress)}`)
  }
  if (equalBlockIds(voteA.blockId, voteB.blockId)) {
    throw invalid(`block IDs are the same (${formatBlockId(voteA.blockId)}) - not a real duplicate vote`)
  }
  const derived = addressOf(validator.pubKey)
  if (!equalBytes(derived, voteA.validatorAddress)) {
    const key = formatPublicKey(validator.pubKey)
    throw invalid(`address (${address}) doesn't match pubkey (${key} - ${bytesToHex(derived)})`)
  }
  if (validator.votingPower !== validatorPower) {
    const powers = `(${validatorPower} != ${validator.votingPower})`
    throw invalid(`validator power from evidence and our validator set does not match ${powers}`)
  }
  checkTotalPower(evidence.totalVotingPower, validators)
  for (const [name, vote] of [
    ['VoteA', voteA],
    ['VoteB', voteB],
  ] as const) {
    if (!verify(validator.pubKey, voteSignBytes(chainId, vote), vote.signature)) {
      throw invalid(`verifying ${name}: invalid signature`)
    }
  }
}

export function checkTotalPower(claimed: bigint, validators: ValidatorSet): void {
  const total = totalVotingPower(validators)
  if (claimed === total) return
  throw invalid(`total voting power from the evidence and our validator set does not match (${claimed} != ${total})`)
}
