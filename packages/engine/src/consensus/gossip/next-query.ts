import { SignedMsgType } from '@org/types'
import type { Majority } from './messages.ts'
import type { PeerRoundState } from './peer-round-state.ts'
import type { GossipBlockStore, View } from './ports.ts'

type Query = (local: View, peer: PeerRoundState, blockStore: GossipBlockStore) => Majority | undefined

const prevotesOf: Query = ({ height, votes }, peer) => {
  const blockId = height === peer.height ? votes.prevotes(peer.round)?.majority : undefined
  return blockId && { height, round: peer.round, type: SignedMsgType.prevote, blockId }
}

const precommitsOf: Query = ({ height, votes }, peer) => {
  const blockId = height === peer.height ? votes.precommits(peer.round)?.majority : undefined
  return blockId && { height, round: peer.round, type: SignedMsgType.precommit, blockId }
}

const polOf: Query = ({ height, votes }, { height: peerHeight, proposalPolRound }) => {
  if (height !== peerHeight || proposalPolRound < 0) return undefined
  const blockId = votes.prevotes(proposalPolRound)?.majority
  return blockId && { height, round: proposalPolRound, type: SignedMsgType.prevote, blockId }
}

const commitOf: Query = (_local, { height, catchupCommitRound }, blockStore) => {
  if (catchupCommitRound === -1 || height <= 0) return undefined
  if (height > blockStore.height() || height < blockStore.base()) return undefined
  const commit = height === blockStore.height() ? blockStore.loadSeenCommit(height) : blockStore.loadBlockCommit(height)
  return commit && { height, round: commit.round, type: SignedMsgType.precommit, blockId: commit.blockId }
}

const QUERIES: readonly Query[] = [prevotesOf, precommitsOf, polOf, commitOf]

/**
 * Returns a function that chooses the next question to the peer (`VoteSetMaj23`). The question names a block for which
 * this node has +2/3 votes. The peer answers with the votes that it has for this block. The questions take turns
 * between the prevotes, the precommits, the POL, and the stored commit.
 */
export function createQueries(
  peer: PeerRoundState,
  sources: { readonly view: () => View; readonly blockStore: GossipBlockStore },
): () => Majority | undefined {
  let turn = 0
  return () => {
    for (let i = 0; i < QUERIES.length; i++) {
      const query = QUERIES[turn % QUERIES.length] as Query
      turn++
      const majority = query(sources.view(), peer, sources.blockStore)
      if (majority !== undefined) return majority
    }
    return undefined
  }
}
