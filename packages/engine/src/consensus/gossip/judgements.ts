import { MisbehaviourError } from '@org/p2p'
import type { Vote } from '@org/types'
import type { ConsensusMessage, Judgement } from '../machine/index.ts'
import type { Announcements } from './announcements.ts'
import type { GossipPeer } from './gossip-peer.ts'
import { type HeldMessages, partSetKey, voteSetKey } from './held-messages.ts'
import { CONTRIBUTIONS_OF_GOOD_PEER } from './options.ts'
import type { GossipConsensus, GossipPeers } from './ports.ts'

export interface JudgementModules {
  readonly peers: GossipPeers
  readonly consensus: Pick<GossipConsensus, 'forget'>
  readonly announcements: Pick<Announcements, 'noteSender'>
  readonly heldMessages: Pick<HeldMessages, 'hold'>
}

/** Applies the judgements of consensus to the peers that sent the messages. */
export interface Judgements {
  readonly apply: (from: GossipPeer, message: ConsensusMessage, judgement: Judgement) => void
  /**
   * Returns true if this node holds the vote for a moment before it passes the vote on. In this time, the peer that
   * sent the vote may send it to the other peers too. Then this node need not send the vote to these peers.
   */
  readonly isHeld: (vote: Vote) => boolean
}

/** Credits peers for useful messages, and ends the connections of faulty peers. */
export function createJudgements(
  { maxInvalidSignatures }: { readonly maxInvalidSignatures: number },
  { peers, consensus, announcements, heldMessages }: JudgementModules,
): Judgements {
  const held = new WeakSet<Vote>()

  function blame(from: GossipPeer, { code, reason, fault }: Extract<Judgement, { outcome: 'reject' }>): void {
    if (fault === undefined) return
    if (fault === 'forged' && ++from.invalidSignatures <= maxInvalidSignatures) return
    // The connection ends, so the node need not verify the signatures of the peer's queued messages.
    consensus.forget(from.peer.id)
    const why = fault === 'forged' ? 'too many invalid signatures' : reason
    peers.stop(from.peer, new MisbehaviourError(code, why))
  }

  function credit({ peer, stats }: GossipPeer, message: ConsensusMessage): void {
    if (message.kind === 'proposal') return
    if (message.kind === 'vote') {
      announcements.noteSender(message.vote, peer.id)
      if (heldMessages.hold(voteSetKey(message.vote), message.vote.validatorIndex)) held.add(message.vote)
    } else heldMessages.hold(partSetKey(message), message.part.index)
    const field = message.kind === 'vote' ? 'votes' : 'blockParts'
    stats[field]++
    if (stats[field] % CONTRIBUTIONS_OF_GOOD_PEER === 0) peers.markGood(peer)
  }

  return {
    apply: (from, message, judgement) => {
      if (judgement.outcome === 'accept') credit(from, message)
      else if (judgement.outcome === 'reject') blame(from, judgement)
    },
    isHeld: (vote) => held.has(vote),
  }
}
