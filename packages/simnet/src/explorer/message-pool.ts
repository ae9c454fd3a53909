import type { ByzantineVoteSet, ByzantineVotes } from './byzantine-votes.ts'
import type { LocalState } from './local-table.ts'
import { eventKey, type ModelProposal, type ModelVote, slotOf, type VoteType } from './message.ts'
import type { Model } from './model.ts'
import type { Pool } from './moves.ts'

export interface PoolContext {
  readonly model: Model
  readonly rounds: number
  readonly byzantine: readonly number[]
  readonly byzantineBlocks: readonly string[]
  readonly votesOfByzantine: ByzantineVotes
  /** The votes of faulty validators that the run has delivered to correct validators so far. */
  readonly needed: ByzantineVoteSet
}

const TYPES: readonly VoteType[] = ['prevote', 'precommit']

/** Returns the messages that the validators may receive in these states. */
export function poolOf(at: readonly LocalState[], context: PoolContext): Pool {
  const { model, rounds, byzantine, byzantineBlocks, votesOfByzantine, needed } = context
  const mayNeed = (more: ByzantineVoteSet): boolean => votesOfByzantine.isAllowed(needed | more)
  const proposals: ModelProposal[] = []
  const addProposal = (proposal: ModelProposal): void => {
    if (!proposals.some((other) => eventKey(other) === eventKey(proposal))) proposals.push(proposal)
  }
  for (const state of at) for (const proposal of state.proposals) addProposal(proposal)
  const blocks = new Set(proposals.map(({ block }) => block))
  const faulty = model.proposers.some((proposer) => byzantine.includes(proposer))
  if (faulty) for (const name of byzantineBlocks) blocks.add(name)
  for (const [round, proposer] of model.proposers.entries()) {
    if (!byzantine.includes(proposer)) continue
    for (const block of blocks) {
      for (let polRound = -1; polRound < round; polRound++) addProposal({ kind: 'proposal', round, polRound, block })
    }
  }
  const votes = new Map<string, ModelVote[]>()
  for (let round = 0; round < rounds; round++) {
    for (const type of TYPES) {
      for (let validator = 0; validator < model.validators; validator++) {
        const any = byzantine.includes(validator)
          ? ['nil', ...blocks].map((value): ModelVote => ({ kind: 'vote', type, round, validator, value }))
          : []
        const may = any.filter((vote) => mayNeed(votesOfByzantine.of(vote)))
        votes.set(slotOf({ type, round, validator }), may)
      }
    }
  }
  for (const state of at) for (const vote of state.votes) votes.get(slotOf(vote))?.push(vote)
  return { votes, proposals, blocks: [...blocks], byzantineVoteOf: votesOfByzantine.of, mayNeed }
}
