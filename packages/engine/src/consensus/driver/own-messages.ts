import { type BlockId, equalBlockIds, isPrecommitForBlock } from '@org/types'
import type { TimedWalMessage } from '@org/types/messages'
import type { Call, ConsensusMessage, Result } from '../machine/index.ts'
import { inputFromRecord } from './wal-records.ts'

/**
 * Returns the name of a message of this node: its kind, height and round, and the index of a block part or the type of
 * a vote. This node sends at most one message with each name.
 */
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
 * The messages that this node sent before it stopped, read from the WAL. In a replay, the machine asks to sign these
 * messages again. Then the recorded message is the answer, and the signer is not called.
 */
export interface OwnMessages {
  readonly has: (message: ConsensusMessage) => boolean
  /** The block of each recorded precommit, by round. Each of these blocks had a polka. */
  readonly precommitted: ReadonlyMap<number, BlockId>
  /**
   * Answers a call of the machine, such as `signVote`, with the recorded message. Returns `undefined` if no message is
   * recorded for the call. In a replay, the machine may ask to sign another block than the recorded one. The reason is
   * that the machine may miss a polka, because the WAL does not contain the claims of peers that they have received
   * +2/3 votes. Then this function returns a result whose member `value` is `undefined`, as if the signer had refused.
   */
  readonly answer: (call: Call, at: { readonly height: number; readonly round: number }) => Result | undefined
}

export function readOwnMessages(messages: readonly TimedWalMessage[]): OwnMessages {
  const recorded = new Map<string, ConsensusMessage>()
  for (const record of messages) {
    const input = inputFromRecord(record)
    if (input?.type === 'message' && input.peerId === '') recorded.set(nameOf(input.message), input.message)
  }
  const precommitted = new Map<number, BlockId>()
  for (const message of recorded.values()) {
    if (message.kind === 'vote' && isPrecommitForBlock(message.vote)) {
      precommitted.set(message.vote.round, message.vote.blockId)
    }
  }
  return {
    precommitted,
    has: (message) => recorded.has(nameOf(message)),
    answer: (call, { height, round }) => {
      if (call.type === 'createProposalBlock') {
        // The WAL has a proposal of this round, so this node must not make another block.
        return recorded.has(`proposal/${height}/${round}`) ? { type: call.type, value: undefined } : undefined
      }
      if (call.type === 'signProposal') {
        const message = recorded.get(nameOf({ kind: 'proposal', proposal: call.proposal }))
        if (message?.kind !== 'proposal') return undefined
        const isSame = equalBlockIds(message.proposal.blockId, call.proposal.blockId)
        return { type: call.type, value: isSame ? message.proposal : undefined }
      }
      if (call.type !== 'signVote') return undefined
      const message = recorded.get(nameOf({ kind: 'vote', vote: call.vote }))
      if (message?.kind !== 'vote') return undefined
      const isSame = equalBlockIds(message.vote.blockId, call.vote.blockId)
      return { type: call.type, value: isSame ? message.vote : undefined }
    },
  }
}
