import type { Random } from '@org/runtime'
import type { Vote } from '@org/types'
import { extensionsEnabled, RoundStep, type VoteSet } from '../machine/index.ts'
import { type HeldMessages, voteSetKey } from './held-messages.ts'
import { CHANNELS } from './options.ts'
import type { PeerRoundState } from './peer-round-state.ts'
import type { Sending } from './peer-sender.ts'
import type { GossipBlockStore, View } from './ports.ts'
import { commitSource, extendedCommitSource, type VoteSource, voteSetSource } from './vote-source.ts'

export interface VoteSources {
  readonly view: () => View
  readonly blockStore: GossipBlockStore
  readonly random: Random
  readonly heldMessages: Pick<HeldMessages, 'withoutHeld'>
  readonly encodeVote: (vote: Vote) => Uint8Array
}

/** Returns a vote that the peer lacks and can use at its height and round. */
export function nextVote(peer: PeerRoundState, sources: VoteSources): Sending | undefined {
  const { view, blockStore, random, heldMessages, encodeVote } = sources
  for (const source of usefulVotes(view(), peer, blockStore)) {
    const lacking = peer.lacks(source)
    if (lacking === undefined) continue
    const index = heldMessages.withoutHeld(voteSetKey(source), lacking).pick(random)
    const vote = index === undefined ? undefined : source.vote(index)
    if (vote === undefined) continue
    return { channel: CHANNELS.vote, encode: () => encodeVote(vote), sent: () => peer.noteSent(vote) }
  }
  return undefined
}

/** Returns the sources of votes that the peer can use, the most urgent first. */
function usefulVotes(local: View, peer: PeerRoundState, blockStore: GossipBlockStore): readonly VoteSource[] {
  if (peer.height === 0) return []
  if (peer.height === local.height) return votesOfHeight(local, peer)
  if (peer.height + 1 === local.height) return local.lastCommit === undefined ? [] : [voteSetSource(local.lastCommit)]
  if (peer.height > local.height || peer.height < blockStore.base() || blockStore.base() === 0) return []
  const stored = storedCommit(local, peer.height, blockStore)
  return stored === undefined ? [] : [stored]
}

function votesOfHeight({ votes, round, lastCommit }: View, peer: PeerRoundState): readonly VoteSource[] {
  const isHere = peer.round !== -1 && peer.round <= round
  const pol = peer.proposalPolRound === -1 ? undefined : votes.prevotes(peer.proposalPolRound)
  const prevotes = isHere ? votes.prevotes(peer.round) : undefined
  const precommits = isHere ? votes.precommits(peer.round) : undefined
  const sources: VoteSource[] = []
  const add = (set: VoteSet | undefined): void => {
    if (set !== undefined) sources.push(voteSetSource(set))
  }
  if (peer.step === RoundStep.newHeight) add(lastCommit)
  if (isHere && peer.step <= RoundStep.propose) add(pol)
  if (peer.step <= RoundStep.prevoteWait) add(prevotes)
  if (peer.step <= RoundStep.precommitWait) add(precommits)
  // Prevotes are also sent to a peer that is past the step `prevote`, because the prevotes may form a polka.
  if (peer.step > RoundStep.prevoteWait) add(prevotes)
  add(pol)
  return sources
}

function storedCommit(local: View, height: number, blockStore: GossipBlockStore): VoteSource | undefined {
  if (extensionsEnabled(local.chain, height)) {
    const commit = blockStore.loadExtendedCommit(height)
    return commit === undefined ? undefined : extendedCommitSource(commit)
  }
  const commit = blockStore.loadBlockCommit(height)
  return commit === undefined ? undefined : commitSource(commit)
}
