import type { Peer } from '@org/p2p'
import { type Clock, type Logger, messageOf, type Random, repeat } from '@org/runtime'
import type { Vote } from '@org/types'
import type { HeldMessages } from './held-messages.ts'
import { newRoundStepMessage, voteSetMaj23Message } from './messages.ts'
import { nextData } from './next-data.ts'
import { createQueries } from './next-query.ts'
import { nextVote } from './next-vote.ts'
import { CHANNELS } from './options.ts'
import { PeerRoundState } from './peer-round-state.ts'
import { createPeerSender } from './peer-sender.ts'
import type { PeerStats } from './peer-state-json.ts'
import { createPendingAnnouncements, type PendingAnnouncements } from './pending-announcements.ts'
import type { GossipBlockStore, View } from './ports.ts'

/** The gossip with one peer: records the data that the peer has, and sends the data that the peer lacks. */
export interface GossipPeer {
  readonly peer: Peer
  readonly state: PeerRoundState
  readonly stats: PeerStats
  readonly pendingAnnouncements: PendingAnnouncements
  invalidSignatures: number
  /**
   * Sends the data that the peer lacks. Called when the peer's state has changed, and when the waiting time of received
   * votes or parts has ended (see `HeldMessages`).
   */
  readonly wake: () => void
  /** Sends the peer the waiting announcements of this node's new state, and then the data that the peer lacks. */
  readonly advance: () => void
  /** Called regularly. Sends the messages that could not be sent before, and the data that the peer still lacks. */
  readonly resend: () => void
  readonly announceStep: () => void
  readonly stop: () => void
}

export interface GossipPeerModules {
  readonly view: () => View
  readonly blockStore: GossipBlockStore
  /** Returns false during block sync. Then this node sends no consensus message to the peer. */
  readonly isActive: () => boolean
  /**
   * Returns false while this node's signatures are not durable. Then this node sends no proposal, part or vote to the
   * peer.
   */
  readonly isDurable: () => boolean
  readonly heldMessages: Pick<HeldMessages, 'withoutHeld'>
  readonly encodeVote: (vote: Vote) => Uint8Array
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export function createGossipPeer(
  peer: Peer,
  { queryMaj23Ms }: { readonly queryMaj23Ms: number },
  modules: GossipPeerModules,
): GossipPeer {
  const { view, isActive, isDurable, clock, logger } = modules
  const state = new PeerRoundState()
  const gone = new AbortController()
  const { signal } = gone
  const pendingAnnouncements = createPendingAnnouncements(peer, signal)
  const onError = (error: unknown): void => {
    logger.error('Gossip with a peer failed', { peer: peer.id, err: messageOf(error) })
  }
  const data = createPeerSender(peer, {
    next: () => (isDurable() ? nextData(state, modules) : undefined),
    onSend: pendingAnnouncements.flush,
    onError,
    signal,
  })
  const votes = createPeerSender(peer, {
    next: () => (isDurable() ? nextVote(state, modules) : undefined),
    onSend: pendingAnnouncements.flush,
    onError,
    signal,
  })
  const nextQuery = createQueries(state, modules)
  repeat(clock, { everyMs: queryMaj23Ms, run: query, signal })

  function query(): void {
    if (!isActive()) return
    try {
      const majority = nextQuery()
      if (majority !== undefined) peer.trySend(CHANNELS.state, voteSetMaj23Message(majority))
    } catch (error) {
      onError(error)
    }
  }

  function announceStep(): void {
    if (!isActive()) return
    pendingAnnouncements.announce('newRoundStep', newRoundStepMessage(view(), clock.now()))
    pendingAnnouncements.flush()
  }

  function wake(): void {
    if (!isActive()) return
    // Votes are sent before parts, because votes are small, and other validators cannot decide without them.
    votes.wake()
    data.wake()
  }

  return {
    peer,
    state,
    stats: { votes: 0, blockParts: 0 },
    pendingAnnouncements,
    invalidSignatures: 0,
    wake,
    advance: () => {
      if (pendingAnnouncements.isUrgent()) pendingAnnouncements.flush()
      wake()
    },
    resend: () => {
      state.mayHaveBlock = false
      if (pendingAnnouncements.isStale()) announceStep()
      wake()
    },
    announceStep,
    stop: () => gone.abort(),
  }
}
