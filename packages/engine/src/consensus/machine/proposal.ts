import { isCodedError } from '@org/runtime/errors'
import { type Proposal, partSetFromHeader, proposalSignBytes, proposerOf, validateProposalBlockSize } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { PublicKey } from '@org/types/crypto'
import { tryFinalize } from './commit.ts'
import { type Core, isFor, judge, note, type Received, type RuleGenerator } from './core.ts'
import type { Judgement } from './effect.ts'
import type { ConsensusMessage } from './message.ts'
import { enterPrecommit } from './precommit.ts'
import { enterPrevote } from './prevote.ts'
import { isProposalComplete } from './propose.ts'
import { readBlock } from './read-block.ts'
import { RoundStep } from './round-step.ts'

type ProposalInput = Received<Extract<ConsensusMessage, { kind: 'proposal' }>>
type PartInput = Received<Extract<ConsensusMessage, { kind: 'blockPart' }>>

/** The codes of rejected proposals. If the block is too large, the code comes from `@org/types` instead. */
export const PROPOSAL_REFUSALS = {
  invalidPolRound: 'PROPOSAL_INVALID_POL_ROUND',
  invalidSignature: 'PROPOSAL_INVALID_SIGNATURE',
} as const

const ACCEPT: Judgement = { outcome: 'accept' }

/** Accepts the first proposal of this round that its proposer signed. */
export function receiveProposal(core: Core, received: ProposalInput): void {
  const { state } = core
  const { proposal } = received.message
  const judgement = judgeProposal(core, proposal)
  judge(core, received, judgement)
  if (judgement.outcome !== 'accept') return
  state.proposal = proposal
  // The member `incoming` is the block whose parts this node receives. A polka or a decision may have set this member
  // already. Then the proposal does not replace it.
  state.incoming ??= { parts: partSetFromHeader(proposal.blockId.partSetHeader) }
  note.info(core, 'received proposal', { hash: bytesToHex(proposal.blockId.hash) })
  core.emit({ type: 'gossip', hint: { type: 'proposal', proposal } })
}

function judgeProposal(core: Core, proposal: Proposal): Judgement {
  const { state } = core
  if (state.proposal !== undefined) return { outcome: 'ignore', reason: 'the proposal was received before' }
  if (proposal.height !== state.height || proposal.round !== state.round) {
    return { outcome: 'ignore', reason: 'the proposal is for another round' }
  }
  return checkProposal(core, proposal)
}

function checkProposal({ state, verify }: Core, proposal: Proposal): Judgement {
  if (proposal.polRound < -1 || (proposal.polRound >= 0 && proposal.polRound >= proposal.round)) {
    return { outcome: 'reject', code: PROPOSAL_REFUSALS.invalidPolRound, reason: 'invalid proposal POL round' }
  }
  const { chain } = state
  try {
    validateProposalBlockSize(proposal, chain.consensusParams.block.maxBytes)
  } catch (error) {
    if (isCodedError(error)) return { outcome: 'reject', code: error.code, reason: error.message }
    throw error
  }
  const key = proposerOf(state.validators)?.pubKey as PublicKey
  const valid = verify(key, proposalSignBytes(chain.chainId, proposal), proposal.signature)
  if (valid) return ACCEPT
  const code = PROPOSAL_REFUSALS.invalidSignature
  return { outcome: 'reject', code, reason: 'invalid proposal signature', fault: 'forged' }
}

/** Accepts a part of the awaited block, from any round. */
export function* receiveBlockPart(core: Core, received: PartInput): RuleGenerator {
  const { state } = core
  const { height, part } = received.message
  const judgement = addPart(core, received)
  judge(core, received, judgement)
  if (judgement.outcome !== 'accept') return
  core.emit({ type: 'gossip', hint: { type: 'blockPart', index: part.index } })
  if (state.incoming?.parts.isComplete !== true) return
  readBlock(core, state.incoming.parts)
  yield* handleWholeBlock(core, height)
}

function addPart({ state }: Core, { message }: PartInput): Judgement {
  const parts = state.incoming?.parts
  if (message.height !== state.height) return { outcome: 'ignore', reason: 'the part is for another height' }
  if (parts === undefined) return { outcome: 'ignore', reason: 'no block part is expected now' }
  try {
    return parts.addPart(message.part) ? ACCEPT : { outcome: 'ignore', reason: 'the part was received before' }
  } catch (error) {
    if (!isCodedError(error)) throw error
    // A part of another round's block is not a fault.
    const { code, message: reason } = error
    return message.round === state.round ? { outcome: 'reject', code, reason } : { outcome: 'ignore', reason }
  }
}

function* handleWholeBlock(core: Core, height: number): RuleGenerator {
  const { state } = core
  // An earlier round may have decided the block: while a node waits for the parts of the decided block, +2/3 votes of a
  // later round move the node to that round.
  yield* tryFinalize(core, height)
  if (state.height !== height) return
  const polka = state.votes.prevotes(state.round)?.majority
  // If the block had a polka before all its parts arrived, this node can accept it as the valid block only now.
  if (polka !== undefined && isFor(state.incoming, polka) && (state.valid?.round ?? -1) < state.round) {
    state.valid = { ...state.incoming, round: state.round }
  }
  if (state.step <= RoundStep.propose && isProposalComplete(core)) {
    yield* enterPrevote(core, height, state.round)
    if (polka !== undefined) yield* enterPrecommit(core, height, state.round)
  }
}
