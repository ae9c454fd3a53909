import { isCodedError } from '@org/runtime'
import { hashBlock, MAX_BLOCK_SIZE_BYTES, type PartSet, partSetFromHeader } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'
import type { PublicKey } from '@org/types/crypto'
import { proposerOf } from '@org/types/validators'
import { type Proposal, proposalSignBytes, validateProposalBlockSize } from '@org/types/vote'
import { tryFinalize } from './commit.ts'
import { type Core, type Flow, isFor, judge, note, type Received } from './core.ts'
import type { Verdict } from './effect.ts'
import type { ConsensusMessage } from './message.ts'
import { enterPrecommit } from './precommit.ts'
import { enterPrevote } from './prevote.ts'
import { decodeCandidate } from './proposal-block.ts'
import { isProposalComplete } from './propose.ts'
import type { Candidate } from './round-state.ts'
import { RoundStep } from './round-step.ts'

type ProposalInput = Received<Extract<ConsensusMessage, { kind: 'proposal' }>>
type PartInput = Received<Extract<ConsensusMessage, { kind: 'blockPart' }>>

const FORGED = 'invalid proposal signature'

/** Takes the first proposal of this round that its proposer signed. */
export function receiveProposal(core: Core, received: ProposalInput): void {
  const { state } = core
  const { proposal } = received.message
  const verdict = judgeProposal(core, proposal)
  judge(core, received, verdict)
  if (verdict.outcome !== 'accept') return
  state.proposal = proposal
  // Parts may be expected already: of the decided block, or of one with a polka.
  state.proposalParts ??= partSetFromHeader(proposal.blockId.partSetHeader)
  note(core, 'info', 'received proposal', { hash: bytesToHex(proposal.blockId.hash) })
  core.emit({ type: 'gossip', hint: { type: 'proposal', proposal } })
}

function judgeProposal(core: Core, proposal: Proposal): Verdict {
  const { state } = core
  if (state.proposal !== undefined) return { outcome: 'ignore', reason: 'there is one already' }
  if (proposal.height !== state.height || proposal.round !== state.round) {
    return { outcome: 'ignore', reason: 'another round' }
  }
  const reason = findFault(core, proposal)
  if (reason === undefined) return { outcome: 'accept' }
  return { outcome: 'reject', reason, ...(reason === FORGED ? { fault: 'forged' } : {}) }
}

function findFault({ state, verify }: Core, proposal: Proposal): string | undefined {
  if (proposal.polRound < -1 || (proposal.polRound >= 0 && proposal.polRound >= proposal.round)) {
    return 'invalid proposal POL round'
  }
  const { chain } = state
  try {
    validateProposalBlockSize(proposal, chain.consensusParams.block.maxBytes)
  } catch (error) {
    if (isCodedError(error)) return error.message
    throw error
  }
  const key = proposerOf(state.validators)?.pubKey as PublicKey
  const valid = verify(key, proposalSignBytes(chain.chainId, proposal), proposal.signature)
  return valid ? undefined : FORGED
}

/** Takes a part of the block that we wait for, from whatever round. */
export function* receiveBlockPart(core: Core, received: PartInput): Flow {
  const { state } = core
  const { height, part } = received.message
  const verdict = addPart(core, received)
  judge(core, received, verdict)
  if (verdict.outcome !== 'accept') return
  core.emit({ type: 'gossip', hint: { type: 'blockPart', index: part.index } })
  if (state.proposalParts?.isComplete !== true) return
  readBlock(core, state.proposalParts)
  yield* handleWholeBlock(core, height)
}

function addPart({ state }: Core, { message }: PartInput): Verdict {
  const parts = state.proposalParts
  if (message.height !== state.height) return { outcome: 'ignore', reason: 'another height' }
  if (parts === undefined) return { outcome: 'ignore', reason: 'no part is expected' }
  try {
    return parts.addPart(message.part) ? { outcome: 'accept' } : { outcome: 'ignore', reason: 'the part is here' }
  } catch (error) {
    if (!isCodedError(error)) throw error
    // A part of another round's block is no fault.
    return { outcome: message.round === state.round ? 'reject' : 'ignore', reason: error.message }
  }
}

/** Sets the proposal block, unless the bytes are none. */
function readBlock(core: Core, parts: PartSet): void {
  const { state, emit } = core
  const { maxBytes } = state.chain.consensusParams.block
  const limit = maxBytes === -1n ? MAX_BLOCK_SIZE_BYTES : Number(maxBytes)
  if (parts.byteSize > limit) {
    note(core, 'error', 'the proposed block is too big', { size: parts.byteSize, limit })
    return
  }
  try {
    state.proposalBlock = candidateOf(core, parts)
  } catch (error) {
    if (!isCodedError(error)) throw error
    note(core, 'error', 'the proposed block is none', { reason: error.message })
    return
  }
  const { hash } = state.proposalBlock
  note(core, 'info', 'received complete proposal block', { hash: bytesToHex(hash) })
  const { height, round, step } = state
  const blockId = { hash, partSetHeader: parts.header }
  emit({ type: 'publish', event: { type: 'CompleteProposal', height, round, step, blockId } })
}

function candidateOf({ made }: Core, parts: PartSet): Candidate {
  if (made?.parts.hasHeader(parts.header) !== true) return decodeCandidate(parts.bytes)
  return { block: made.block, hash: hashBlock(made.block) }
}

function* handleWholeBlock(core: Core, height: number): Flow {
  const { state } = core
  const polka = state.votes.prevotes(state.round)?.majority
  const { proposalBlock, proposalParts } = state
  if (polka !== undefined && proposalBlock !== undefined && proposalParts !== undefined) {
    // A polka came before the block: now it is known to be valid.
    if (isFor(proposalBlock, polka.hash) && (state.valid?.round ?? -1) < state.round) {
      state.valid = { ...proposalBlock, parts: proposalParts, round: state.round }
    }
  }
  if (state.step <= RoundStep.propose && isProposalComplete(core)) {
    yield* enterPrevote(core, height, state.round)
    if (polka !== undefined) yield* enterPrecommit(core, height, state.round)
  } else if (state.step === RoundStep.commit) {
    yield* tryFinalize(core, height)
  }
}
