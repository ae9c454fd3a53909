import type { Clock, Timer } from '@org/runtime'
import type { Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { GossipPeer } from './gossip-peer.ts'
import { hasVoteMessage, newRoundStepMessage, newValidBlockMessage } from './messages.ts'
import type { View } from './ports.ts'

/** Sends messages about this node's state to all peers: its step, its valid block, and the votes that it has. */
export interface Announcements {
  readonly newRoundStep: (local: View) => void
  readonly newValidBlock: (local: View) => void
  /**
   * Announces to peers that this node has a vote, so that they do not send the vote to this node. The peer that sent
   * the vote gets no announcement. If the vote is this node's own, peers in the round of the vote get no announcement,
   * because they get the vote itself.
   */
  readonly hasVote: (vote: Vote, local: View) => void
  /** Records which peer sent a vote first. `hasVote` skips this peer. */
  readonly noteSender: (vote: Vote, peerId: string) => void
}

export interface AnnouncementModules {
  readonly peers: () => ReadonlyMap<string, GossipPeer>
  readonly clock: Clock
  /** Aborts when the gossip stops. After the abort, no announcement is sent. */
  readonly signal: AbortSignal
}

/**
 * Creates the announcements. A `HasVote` message waits for at most `hasVoteMs`, so that the node can send it together
 * with another message.
 */
export function createAnnouncements(
  { hasVoteMs }: { readonly hasVoteMs: number },
  { peers, clock, signal }: AnnouncementModules,
): Announcements {
  const senders = new WeakMap<Vote, string>()
  let timer: Timer | undefined

  function flushAll(): void {
    timer = undefined
    for (const { pendingAnnouncements } of peers().values()) pendingAnnouncements.flush()
  }

  function announce(kind: 'newRoundStep' | 'newValidBlock', message: Uint8Array | undefined, place?: string): void {
    if (message === undefined) return
    for (const { pendingAnnouncements } of peers().values()) pendingAnnouncements.announce(kind, message, place)
  }

  signal.addEventListener('abort', () => timer?.cancel(), { once: true })
  return {
    newRoundStep: (local) =>
      announce('newRoundStep', newRoundStepMessage(local, clock.now()), `${local.height}/${local.round}`),
    newValidBlock: (local) => announce('newValidBlock', newValidBlockMessage(local)),
    hasVote: (vote, { signerAddress }) => {
      const message = hasVoteMessage(vote)
      const sender = senders.get(vote)
      const isOwn =
        sender === undefined && signerAddress !== undefined && equalBytes(vote.validatorAddress, signerAddress)
      for (const { peer, state, pendingAnnouncements } of peers().values()) {
        // A peer at another height hardly ever sends this node a vote of this height, so it needs no announcement.
        if (state.height !== vote.height || peer.id === sender) continue
        if (isOwn && state.round === vote.round) continue
        pendingAnnouncements.announce('hasVote', message)
      }
      timer ??= clock.after(hasVoteMs, flushAll)
    },
    noteSender: (vote, peerId) => void senders.set(vote, peerId),
  }
}
