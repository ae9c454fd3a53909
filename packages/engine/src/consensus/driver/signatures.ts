import { proposalSignBytes, proposerOf, SignedMsgType, type Vote } from '@org/types'
import type { PublicKey, SignedItem } from '@org/types/crypto'
import type { SignatureChecker } from '../../signatures/index.ts'
import {
  type ConsensusMessage,
  type RoundState,
  RoundStep,
  signaturesOf,
  type VerifySignature,
} from '../machine/index.ts'
import type { SignatureMemory } from './ports.ts'

/**
 * Returns a function that verifies signatures, and remembers the valid ones. Neither the machine nor the check of a
 * block's commit verifies a remembered signature again.
 */
export function createRememberingVerifier(
  memory: SignatureMemory,
  { verify }: Pick<SignatureChecker, 'verify'>,
): VerifySignature {
  return (publicKey, message, signature) => {
    const item = { publicKey, message, signature }
    if (memory.has(item)) return true
    const valid = verify(publicKey, message, signature)
    if (valid) memory.remember(item)
    return valid
  }
}

/**
 * Selects the votes whose signatures are verified. `open`: the votes of the rounds for which the machine keeps votes.
 * `all`: the votes of any round, because the machine may begin to keep the votes of a round when it receives a vote of
 * this round.
 */
export type Rounds = 'open' | 'all'

function isOfHeight({ height, round }: Vote, { height: own, votes }: Readonly<RoundState>, rounds: Rounds): boolean {
  return height === own && (rounds === 'all' || votes.prevotes(round) !== undefined)
}

function isOfLastCommit({ height, type }: Vote, { height: own, step, lastCommit }: Readonly<RoundState>): boolean {
  return (
    height + 1 === own && type === SignedMsgType.precommit && step === RoundStep.newHeight && lastCommit !== undefined
  )
}

/**
 * Returns the signatures that must be valid for a message to be accepted; none for a message that does not fit the
 * state.
 */
export function signedItemsOf(
  message: ConsensusMessage,
  state: Readonly<RoundState>,
  rounds: Rounds = 'open',
): readonly SignedItem[] {
  const { chainId } = state.chain
  if (message.kind === 'proposal') {
    const { proposal } = message
    const publicKey = proposerOf(state.validators)?.pubKey
    if (publicKey === undefined || proposal.height !== state.height || proposal.round !== state.round) return []
    if (state.proposal !== undefined) return []
    return [{ publicKey, message: proposalSignBytes(chainId, proposal), signature: proposal.signature }]
  }
  if (message.kind !== 'vote') return []
  const { vote } = message
  const isNow = isOfHeight(vote, state, rounds)
  if (!isNow && !isOfLastCommit(vote, state)) return []
  const { validators } = isNow ? state.validators : state.lastValidators
  const publicKey: PublicKey | undefined = validators[vote.validatorIndex]?.pubKey
  if (publicKey === undefined) return []
  const extended = vote.extensionSignature.length > 0
  return signaturesOf(chainId, vote, extended).map(([text, signature]) => ({ publicKey, message: text, signature }))
}
