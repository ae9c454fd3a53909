import type { Clock, Timer } from '@org/runtime'
import type { Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { GossipPeer } from './gossip-peer.ts'
import { hasVoteMessage, newRoundStepMessage, newValidBlockMessage } from './messages.ts'
import type { View } from './ports.ts'

/** Sends all peers reports of this node's state. */
export interface Announcements {
  readonly newRoundStep: (own: View) => void
  readonly newValidBlock: (own: View) => void
  /**
   * Announces a vote to peers, so that they do not send it to this node. The sender of the vote gets no announcement.
   * If this node made the vote, the peers in the round of the vote get no announcement either, because the node sends
   * them the vote itself.
   */
  readonly hasVote: (vote: Vote, own: View) => void
  /** Records the first sender of a vote: that peer does not need an announcement of it. */
  readonly noteSender: (vote: Vote, peerId: string) => void
}

export interface AnnouncementModules {
  readonly peers: () => ReadonlyMap<string, GossipPeer>
  readonly clock: Clock
  /** Aborts when the gossip stops. No announcement is sent after that. */
  readonly signal: AbortSignal
}

/** Creates the announcements. A `HasVote` waits for at most `hasVoteMs`, so that it can leave with another message. */
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
    newRoundStep: (own) =>
      announce('newRoundStep', newRoundStepMessage(own, clock.now()), `${own.height}/${own.round}`),
    newValidBlock: (own) => announce('newValidBlock', newValidBlockMessage(own)),
    hasVote: (vote, { signerAddress }) => {
      const message = hasVoteMessage(vote)
      const sender = senders.get(vote)
      const isOwn =
        sender === undefined && signerAddress !== undefined && equalBytes(vote.validatorAddress, signerAddress)
      for (const { peer, state, pendingAnnouncements } of peers().values()) {
        // Only peers at the height of the vote receive the announcement: mainly these peers would send the vote to this
        // node.
        if (state.height !== vote.height || peer.id === sender) continue
        if (isOwn && state.round === vote.round) continue
        pendingAnnouncements.announce('hasVote', message)
      }
      timer ??= clock.after(hasVoteMs, flushAll)
    },
    noteSender: (vote, peerId) => void senders.set(vote, peerId),
  }
}
