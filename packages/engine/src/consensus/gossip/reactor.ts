import { defineProtocol, kindLabels, type Peer, type Protocol, type Reactor } from '@org/p2p'
import {
  type Clock,
  createLifecycle,
  createListeners,
  type Logger,
  type Metrics,
  oncePerTurn,
  type Random,
  repeat,
  type Service,
} from '@org/runtime'
import type { Vote } from '@org/types'
import { ConsensusMessage } from '@org/types/messages'
import type { Json } from '@org/types/schema'
import type { GossipHint } from '../machine/index.ts'
import { createAnnouncements } from './announcements.ts'
import { GOSSIP_CHANNELS } from './channels.ts'
import { createGossipPeer, type GossipPeer } from './gossip-peer.ts'
import { createHeldMessages } from './held-messages.ts'
import { createJudgements } from './judgements.ts'
import { voteMessage } from './messages.ts'
import type { ConsensusGossipOptions } from './options.ts'
import { peerStateToJson } from './peer-state-json.ts'
import type { GossipBlockStore, GossipConsensus, GossipPeers, View } from './ports.ts'
import { createHandlers, decodeMessage, refuseByLength, type Sum } from './receive.ts'

export interface ConsensusGossipModules {
  readonly consensus: GossipConsensus
  readonly blockStore: GossipBlockStore
  readonly peers: GossipPeers
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics: Metrics
}

/** The gossip of consensus. `start` must be called when consensus runs. */
export interface ConsensusGossip extends Service {
  readonly reactor: Reactor
  /** The height of a peer; 0 before its first report. */
  readonly heightOf: (peerId: string) => number
  /** Calls `listener` when a peer's height changes, until the signal aborts. */
  readonly onHeight: (listener: (peerId: string) => void, signal?: AbortSignal) => void
  /** The JSON of every peer in `dump_consensus_state`. */
  readonly peerStates: () => readonly { readonly peer: Peer; readonly state: Json }[]
}

/**
 * Announces this node's state to peers, and sends them what they lack: proposals, parts, votes, and old blocks to
 * peers that are behind.
 */
export function createConsensusGossip(
  options: ConsensusGossipOptions,
  modules: ConsensusGossipModules,
): ConsensusGossip {
  const { consensus, clock } = modules
  const heightListeners = createListeners<string>()
  const life = createLifecycle({
    name: 'consensus gossip',
    start: () => {
      for (const entry of protocol.peers.values()) entry.announceStep()
      resendAll()
      repeat(clock, { everyMs: options.relookMs, run: resendAll, signal })
    },
    stop: () => {
      for (const entry of protocol.peers.values()) entry.stop()
    },
  })
  const { isActive, signal } = life
  const view = (): View => consensus.roundState()
  const wakeAll = oncePerTurn(() => {
    for (const entry of protocol.peers.values()) entry.advance()
  })
  const heldMessages = createHeldMessages(options.holdMs, { clock, onRelease: wakeAll, signal })
  const announcements = createAnnouncements(options, { peers: () => protocol.peers, clock, signal })
  const judgements = createJudgements(options, { ...modules, announcements, heldMessages })
  const encodeVote = createVoteEncoder()

  function resendAll(): void {
    for (const entry of protocol.peers.values()) entry.resend()
  }

  function hint(gossipHint: GossipHint, local: View): void {
    if (!isActive() || protocol.peers.size === 0) return
    if (gossipHint.type === 'newRoundStep') announcements.newRoundStep(local)
    else if (gossipHint.type === 'newValidBlock') announcements.newValidBlock(local)
    else if (gossipHint.type === 'hasVote') {
      announcements.hasVote(gossipHint.vote, local)
      // The vote is sent to peers only after a short wait, so no loop that sends to a peer is woken now.
      if (judgements.isHeld(gossipHint.vote)) return
    }
    wakeAll()
  }

  const protocol: Protocol<GossipPeer> = defineProtocol<Sum, GossipPeer>({
    name: 'consensus',
    labels: kindLabels('consensus', ConsensusMessage, { proposalPol: 'ProposalPOL' }),
    channels: GOSSIP_CHANNELS,
    refuse: refuseByLength,
    decode: decodeMessage,
    handlers: createHandlers({
      ...modules,
      isActive,
      now: clock.now,
      onHeight: heightListeners.call,
    }),
    join: (peer) => {
      const isDurable = consensus.isDurable
      return createGossipPeer(peer, options, { ...modules, view, isActive, isDurable, heldMessages, encodeVote })
    },
    joined: (entry) => entry.announceStep(),
    left: (entry) => {
      entry.stop()
      consensus.leave(entry.peer.id)
    },
    sizes: () => ({
      fresh: heldMessages.size(),
      announcements: Math.max(
        0,
        ...Array.from(protocol.peers.values(), ({ pendingAnnouncements }) => pendingAnnouncements.size()),
      ),
    }),
  })

  consensus.setGossip({
    hint,
    judgement: (peerId, message, judgement) => {
      const entry = protocol.peers.get(peerId)
      if (entry !== undefined) judgements.apply(entry, message, judgement)
    },
    onDurable: wakeAll,
  })

  return {
    reactor: protocol,
    start: life.start,
    stop: life.stop,
    heightOf: (peerId) => protocol.peers.get(peerId)?.state.height ?? 0,
    onHeight: heightListeners.add,
    peerStates: () =>
      [...protocol.peers.values()].map(({ peer, state: known, stats }) => ({
        peer,
        state: peerStateToJson(known, stats),
      })),
  }
}

/** Encodes each vote once: it is sent to many peers. */
function createVoteEncoder(): (vote: Vote) => Uint8Array {
  const encoded = new WeakMap<Vote, Uint8Array>()
  return (vote) => {
    let bytes = encoded.get(vote)
    if (bytes === undefined) {
      bytes = voteMessage(vote)
      encoded.set(vote, bytes)
    }
    return bytes
  }
}
