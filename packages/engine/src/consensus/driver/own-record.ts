import type { TimedWalMessage } from '@org/types/consensus'
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
  /** The answer to a call for something that was said; `undefined` if it was not. */
  readonly answer: (call: Call, at: { readonly height: number; readonly round: number }) => Result | undefined
}

export function readOwnRecord(messages: readonly TimedWalMessage[]): OwnRecord {
  const said = new Map<string, ConsensusMessage>()
  for (const record of messages) {
    const input = inputFromRecord(record)
    if (input?.type === 'message' && input.peerId === '') said.set(nameOf(input.message), input.message)
  }
  return {
    has: (message) => said.has(nameOf(message)),
    answer: (call, { height, round }) => {
      if (call.type === 'createProposalBlock') {
        // The proposal comes with the record: no other block is made for this round.
        return said.has(`proposal/${height}/${round}`) ? { type: call.type, value: undefined } : undefined
      }
      if (call.type === 'signProposal') {
        const message = said.get(nameOf({ kind: 'proposal', proposal: call.proposal }))
        return message?.kind === 'proposal' ? { type: call.type, value: message.proposal } : undefined
      }
      if (call.type !== 'signVote') return undefined
      const message = said.get(nameOf({ kind: 'vote', vote: call.vote }))
      return message?.kind === 'vote' ? { type: call.type, value: message.vote } : undefined
    },
  }
}
