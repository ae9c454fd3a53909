import { type BlockId, equalBlockIds } from '@org/types/block'
import type { TimedWalMessage } from '@org/types/consensus'
import { isPrecommitForBlock } from '@org/types/vote'
import type { Call, ConsensusMessage, Result } from '../machine/index.ts'
import { inputFromRecord } from './records.ts'

/** What a message stands for in its round: this node says at most one of each. */
function nameOf(message: ConsensusMessage): string {
  switch (message.kind) {
    case 'proposal':
      return `proposal/${message.proposal.height}/${message.proposal.round}`
    case 'blockPart':
      return `part/${message.height}/${message.round}/${message.part.index}`
    case 'vote':
      return `vote/${message.vote.type}/${message.vote.height}/${message.vote.round}`
  }
}

/**
 * What this node said itself before it stopped, as the WAL has it. While the WAL is fed again, the machine wants to say
 * these things once more; the recorded message stands for that, and the signer is not asked.
 */
export interface OwnRecord {
  readonly has: (message: ConsensusMessage) => boolean
  /** The block of each precommit, by its round: there was a polka for it. */
  readonly precommitted: ReadonlyMap<number, BlockId>
  /**
   * The answer to a call for something that was said; `undefined` if it was not. To a call for something else in its place the answer
   * is nothing, as of a signer: this time the machine may know less, since what peers claim is not in the log.
   */
  readonly answer: (call: Call, at: { readonly height: number; readonly round: number }) => Result | undefined
}

export function readOwnRecord(messages: readonly TimedWalMessage[]): OwnRecord {
  const said = new Map<string, ConsensusMessage>()
  for (const record of messages) {
    const input = inputFromRecord(record)
    if (input?.type === 'message' && input.peerId === '') said.set(nameOf(input.message), input.message)
  }
  const precommitted = new Map<number, BlockId>()
  for (const message of said.values()) {
    if (message.kind === 'vote' && isPrecommitForBlock(message.vote)) {
      precommitted.set(message.vote.round, message.vote.blockId)
    }
  }
  return {
    precommitted,
    has: (message) => said.has(nameOf(message)),
    answer: (call, { height, round }) => {
      if (call.type === 'createProposalBlock') {
        // The proposal comes with the record: no other block is made for this round.
        return said.has(`proposal/${height}/${round}`) ? { type: call.type, value: undefined } : undefined
      }
      if (call.type === 'signProposal') {
        const message = said.get(nameOf({ kind: 'proposal', proposal: call.proposal }))
        if (message?.kind !== 'proposal') return undefined
        const isSame = equalBlockIds(message.proposal.blockId, call.proposal.blockId)
        return { type: call.type, value: isSame ? message.proposal : undefined }
      }
      if (call.type !== 'signVote') return undefined
      const message = said.get(nameOf({ kind: 'vote', vote: call.vote }))
      if (message?.kind !== 'vote') return undefined
      const isSame = equalBlockIds(message.vote.blockId, call.vote.blockId)
      return { type: call.type, value: isSame ? message.vote : undefined }
    },
  }
}
