import type { BlockId, Part, Proposal, SignedMsgType, Vote } from '@org/types'
import { ConsensusMessage } from '@org/types/messages'
import type { VoteSet } from '../machine/index.ts'
import type { View } from './ports.ts'

const NOTHING = { bits: 0, elems: [] } as const

export function newRoundStepMessage(view: View, now: bigint): Uint8Array {
  const value = {
    height: view.height,
    round: view.round,
    step: view.step,
    secondsSinceStartTime: Number((now - view.startTime) / 1_000_000_000n),
    lastCommitRound: view.lastCommit?.options.round ?? -1,
  }
  return ConsensusMessage.encode({ sum: { case: 'newRoundStep', value } })
}

/**
 * Returns the encoded NewValidBlock message, which lists the block parts that this node has. Returns `undefined` if
 * the node expects no block.
 */
export function newValidBlockMessage({ height, round, decision, incoming }: View): Uint8Array | undefined {
  if (incoming === undefined) return undefined
  const value = {
    height,
    round,
    blockPartSetHeader: incoming.parts.header,
    blockParts: incoming.parts.bits.toWords(),
    isCommit: decision !== undefined,
  }
  return ConsensusMessage.encode({ sum: { case: 'newValidBlock', value } })
}

export function hasVoteMessage({ height, round, type, validatorIndex }: Vote): Uint8Array {
  return ConsensusMessage.encode({ sum: { case: 'hasVote', value: { height, round, type, index: validatorIndex } } })
}

export function proposalMessage(proposal: Proposal): Uint8Array {
  return ConsensusMessage.encode({ sum: { case: 'proposal', value: { proposal } } })
}

export function proposalPolMessage({ height, polRound }: Proposal, prevotes: VoteSet): Uint8Array {
  const value = { height, proposalPolRound: polRound, proposalPol: prevotes.bits.toWords() }
  return ConsensusMessage.encode({ sum: { case: 'proposalPol', value } })
}

export function blockPartMessage(place: { readonly height: number; readonly round: number }, part: Part): Uint8Array {
  const { height, round } = place
  return ConsensusMessage.encode({ sum: { case: 'blockPart', value: { height, round, part } } })
}

export function voteMessage(vote: Vote): Uint8Array {
  return ConsensusMessage.encode({ sum: { case: 'vote', value: { vote } } })
}

export interface Majority {
  readonly height: number
  readonly round: number
  readonly type: SignedMsgType
  readonly blockId: BlockId
}

export function voteSetMaj23Message({ height, round, type, blockId }: Majority): Uint8Array {
  return ConsensusMessage.encode({ sum: { case: 'voteSetMaj23', value: { height, round, type, blockId } } })
}

/**
 * Returns the message that reports which validators' votes for the block are known to this node. `set` contains the
 * node's votes of this height, round and type.
 */
export function voteSetBitsMessage({ height, round, type, blockId }: Majority, set: VoteSet | undefined): Uint8Array {
  const votes = set?.bitsFor(blockId)?.toWords() ?? NOTHING
  return ConsensusMessage.encode({ sum: { case: 'voteSetBits', value: { height, round, type, blockId, votes } } })
}
