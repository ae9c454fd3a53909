import {
  type BlockId,
  type ExtendedCommit,
  hashBlock,
  type PartSet,
  Proposal,
  SignedMsgType,
  ZERO_BLOCK_ID,
} from '@org/types'
import { type Core, callDriver, newStep, note, type RuleGenerator, scheduleTimeout, setStep } from './core.ts'
import { timeoutOf } from './options.ts'
import { enterPrevote } from './prevote.ts'
import { isProposer } from './round-state.ts'
import { RoundStep } from './round-step.ts'
import { makeExtendedCommit } from './votes/index.ts'

/** Called at the start of the round, or when transactions arrive if the round waits for them. */
export function* enterPropose(core: Core, height: number, round: number): RuleGenerator {
  const { state, options } = core
  if (state.height !== height || round < state.round) return
  if (round === state.round && RoundStep.propose <= state.step) return
  // The time limit for the proposal to be complete. After this time, this node prevotes with the data that it has.
  const timeout = timeoutOf(options.timeoutPropose, options.timeoutProposeDelta, round)
  scheduleTimeout(core, timeout, { round, step: RoundStep.propose })
  if (isProposer(state)) yield* propose(core)
  setStep(core, round, RoundStep.propose)
  newStep(core)
  if (isProposalComplete(core)) yield* enterPrevote(core, height, state.round)
}

/** Sends a proposal: the valid block if there is one, otherwise a new block. */
function* propose(core: Core): RuleGenerator {
  const { state } = core
  const chosen = state.valid ?? (yield* createBlock(core))
  if (chosen === undefined) return
  const { block, parts } = chosen
  const blockId: BlockId = { hash: hashBlock(block), partSetHeader: parts.header }
  const proposal = Proposal.create({
    type: SignedMsgType.proposal,
    height: state.height,
    round: state.round,
    polRound: state.valid?.round ?? -1,
    blockId,
    timestamp: core.now(),
  })
  const signed = yield* callDriver({ type: 'signProposal', proposal })
  if (signed === undefined) return
  core.emit({ type: 'own', message: { kind: 'proposal', proposal: signed } })
  emitParts(core, parts)
  note.debug(core, 'signed proposal')
}

function emitParts({ state, emit }: Core, parts: PartSet): void {
  for (const part of parts.parts) {
    if (part === undefined) continue
    emit({ type: 'own', message: { kind: 'blockPart', height: state.height, round: state.round, part } })
  }
}

function* createBlock(core: Core) {
  const { state } = core
  const lastExtendedCommit = commitToPropose(state.height === state.chain.initialHeight, state.lastCommit)
  if (lastExtendedCommit === undefined || state.signerAddress === undefined) return undefined
  core.ownBlock = yield* callDriver({
    type: 'createProposalBlock',
    height: state.height,
    lastExtendedCommit,
    proposerAddress: state.signerAddress,
  })
  return core.ownBlock
}

function commitToPropose(initial: boolean, lastCommit: Core['state']['lastCommit']): ExtendedCommit | undefined {
  if (initial) return { height: 0, round: 0, blockId: ZERO_BLOCK_ID, extendedSignatures: [] }
  return lastCommit === undefined ? undefined : makeExtendedCommit(lastCommit)
}

/** Returns true if this node has the proposal, the block, and the prevotes to which the proposal refers. */
export function isProposalComplete({ state }: Core): boolean {
  const { proposal, incoming, votes } = state
  if (proposal === undefined || incoming?.block === undefined) return false
  return proposal.polRound < 0 || votes.prevotes(proposal.polRound)?.majority !== undefined
}
