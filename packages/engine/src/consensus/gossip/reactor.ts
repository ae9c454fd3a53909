import { ignore, type Peer, type Reactor } from '@org/p2p'
import type { Clock, Logger, Metrics, Random, Timer } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import type { Json } from '@org/types/schema'
import type { Vote } from '@org/types/vote'
import type { ConsensusMessage, GossipHint, Verdict } from '../machine/index.ts'
import { createFresh, partsPlace, votesPlace } from './fresh.ts'
import { createGossipPeer, type GossipPeer } from './gossip-peer.ts'
import { hasVoteMessage, newRoundStepMessage, newValidBlockMessage, voteMessage } from './messages.ts'
import { CHANNELS, CONTRIBUTIONS_OF_GOOD_PEER, type ConsensusGossipOptions, MAX_MESSAGE_SIZE } from './options.ts'
import { peerStateToJson } from './peer-state-json.ts'
import type { GossipBlockStore, GossipConsensus, GossipPeers, View } from './ports.ts'
import { createReceive } from './receive.ts'

export interface ConsensusGossipModules {
  readonly consensus: GossipConsensus
  readonly blockStore: GossipBlockStore
  readonly peers: GossipPeers
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface ConsensusGossip {
  readonly reactor: Reactor
  /** Begins the gossip: consensus is running. */
  readonly activate: () => void
  readonly stop: () => void
  /** The height of a peer; 0 before its first report. */
  readonly heightOf: (peerId: string) => number
  /** Calls `listener` when a peer's height changes. Returns a function that removes the listener. */
  readonly onHeight: (listener: (peerId: string) => void) => () => void
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
  const entries = new Map<string, GossipPeer>()
  const heightListeners = new Set<(peerId: string) => void>()
  let state: 'waiting' | 'active' | 'stopped' = 'waiting'
  let wakeIsDue = false
  let timer: Timer | undefined
  let hasVoteTimer: Timer | undefined
  /** The first sender of each vote: that peer does not need an announcement of it. */
  const senders = new WeakMap<Vote, string>()
  /** The encoding of each vote, which is sent to many peers. */
  const encoded = new WeakMap<Vote, Uint8Array>()
  /** Votes that are held for a moment before they are passed on. */
  const held = new WeakSet<Vote>()
  const isActive = (): boolean => state === 'active'
  const view = (): View => consensus.roundState()
  const receive = createReceive({
    ...modules,
    isActive,
    now: clock.now,
    onHeight: (peerId) => {
      for (const listener of heightListeners) listener(peerId)
    },
  })

  /** Runs once for all changes of one turn. */
  function wakeAll(): void {
    if (wakeIsDue) return
    wakeIsDue = true
    queueMicrotask(() => {
      wakeIsDue = false
      for (const entry of entries.values()) entry.advance()
    })
  }

  const fresh = createFresh(options.holdMs, { clock, onRipe: wakeAll })

  function flushAll(): void {
    hasVoteTimer = undefined
    for (const { outbox } of entries.values()) outbox.flush()
  }

  function relook(): void {
    timer = clock.after(options.relookMs, relook)
    for (const entry of entries.values()) entry.relook()
  }

  function say(kind: 'newRoundStep' | 'newValidBlock', message: Uint8Array | undefined, place?: string): void {
    if (message === undefined) return
    for (const { outbox } of entries.values()) outbox.say(kind, message, place)
  }

  /**
   * Announces a vote to peers, so that they do not send it to this node. Leaves out the sender of the vote, and peers
   * to which this node is about to send its own vote.
   */
  function sayHasVote(vote: Vote, { address }: View): void {
    const message = hasVoteMessage(vote)
    const sender = senders.get(vote)
    const isOwn = sender === undefined && address !== undefined && equalBytes(vote.validatorAddress, address)
    for (const { peer, state: known, outbox } of entries.values()) {
      // A peer records only votes of the sender's known height.
      if (known.height !== vote.height || peer.id === sender) continue
      if (isOwn && known.round === vote.round) continue
      outbox.say('hasVote', message)
    }
    hasVoteTimer ??= clock.after(options.hasVoteMs, flushAll)
  }

  function encodeVote(vote: Vote): Uint8Array {
    let bytes = encoded.get(vote)
    if (bytes === undefined) {
      bytes = voteMessage(vote)
      encoded.set(vote, bytes)
    }
    return bytes
  }

  function hint(given: GossipHint, own: View): void {
    if (!isActive() || entries.size === 0) return
    if (given.type === 'newRoundStep')
      say('newRoundStep', newRoundStepMessage(own, clock.now()), `${own.height}/${own.round}`)
    else if (given.type === 'newValidBlock') say('newValidBlock', newValidBlockMessage(own))
    else if (given.type === 'hasVote') {
      sayHasVote(given.vote, own)
      // Other peers are checked when the hold ends.
      if (held.has(given.vote)) return
    }
    wakeAll()
  }

  function verdict(peerId: string, message: ConsensusMessage, given: Verdict): void {
    const entry = entries.get(peerId)
    if (entry === undefined) return
    if (given.outcome === 'accept') contributed(entry, message)
    if (given.outcome !== 'reject' || given.fault === undefined) return
    if (given.fault === 'forged' && ++entry.invalidSignatures <= options.maxInvalidSignatures) return
    const why = given.fault === 'forged' ? 'too many invalid signatures' : given.reason
    // The verification of its other messages would cost as much again.
    consensus.forget(peerId)
    modules.peers.stop(entry.peer, new Error(why))
  }

  function contributed({ peer, stats }: GossipPeer, message: ConsensusMessage): void {
    if (message.kind === 'proposal') return
    if (message.kind === 'vote') {
      senders.set(message.vote, peer.id)
      if (fresh.note(votesPlace(message.vote), message.vote.validatorIndex)) held.add(message.vote)
    } else fresh.note(partsPlace(message), message.part.index)
    const field = message.kind === 'vote' ? 'votes' : 'blockParts'
    stats[field]++
    if (stats[field] % CONTRIBUTIONS_OF_GOOD_PEER === 0) modules.peers.markGood(peer)
  }

  consensus.setGossip({ hint, verdict, settled: wakeAll })

  const channel = (id: number, priority: number, sendQueueCapacity: number) => ({
    id,
    priority,
    sendQueueCapacity,
    receiveMessageCapacity: MAX_MESSAGE_SIZE,
  })

  return {
    reactor: {
      name: 'consensus',
      channels: [
        channel(CHANNELS.state, 6, 100),
        channel(CHANNELS.data, 10, 100),
        channel(CHANNELS.vote, 7, 100),
        channel(CHANNELS.voteSetBits, 1, 2),
      ],
      addPeer: (peer) => {
        const entry = createGossipPeer(peer, options, {
          ...modules,
          view,
          isActive,
          isSettled: consensus.isSettled,
          fresh,
          encodeVote,
        })
        entries.set(peer.id, entry)
        entry.announceStep()
      },
      removePeer: ({ id }) => {
        entries.get(id)?.stop()
        entries.delete(id)
      },
      sizes: () => ({
        peers: entries.size,
        fresh: fresh.size(),
        announcements: Math.max(0, ...Array.from(entries.values(), ({ outbox }) => outbox.size())),
      }),
      receive: (peer, id, bytes) => {
        const entry = entries.get(peer.id)
        if (entry === undefined) return ignore('the peer disconnected')
        return receive(entry, id, bytes)
      },
    },
    activate: () => {
      if (state !== 'waiting') return
      state = 'active'
      for (const entry of entries.values()) entry.announceStep()
      relook()
    },
    stop: () => {
      state = 'stopped'
      timer?.cancel()
      hasVoteTimer?.cancel()
      fresh.stop()
      for (const entry of entries.values()) entry.stop()
    },
    heightOf: (peerId) => entries.get(peerId)?.state.height ?? 0,
    onHeight: (listener) => {
      heightListeners.add(listener)
      return () => void heightListeners.delete(listener)
    },
    peerStates: () =>
      [...entries.values()].map(({ peer, state: known, stats }) => ({ peer, state: peerStateToJson(known, stats) })),
  }
}
