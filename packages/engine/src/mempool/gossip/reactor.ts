import { defineProtocol, type Peer, type Reactor } from '@org/p2p'
import {
  type Clock,
  createSemaphore,
  type JoinedSignal,
  joinSignals,
  type Logger,
  type Metrics,
  oncePerTurn,
  type Semaphore,
} from '@org/runtime'
import { fieldSize } from '@org/types/schema'
import { createMempoolMetrics } from '../metrics.ts'
import { openTxsMessage, type TxsMessage } from '../txs-message.ts'
import {
  BATCH_BYTES,
  MEMPOOL_CHANNEL,
  type MempoolGossipOptions,
  RELAY_DELAY_MIN_TXS,
  SEND_QUEUE_CAPACITY,
  TXS_PER_MS,
} from './options.ts'
import type { GossipMempool, PeerHeights } from './ports.ts'
import { createSenderIds } from './sender-ids.ts'
import { createTxTurns } from './turns.ts'
import { createTxReceiver, type TxReceiver } from './tx-receiver.ts'
import { createTxSender, type TxSender } from './tx-sender.ts'

export interface MempoolGossipModules {
  readonly mempool: GossipMempool
  readonly heights: PeerHeights
  /**
   * Returns true for an unconditional peer. The node sends transactions to an unconditional peer even if the maximum
   * number of peers that receive transactions is reached.
   */
  readonly isUnconditional: (peerId: string) => boolean
  /**
   * Returns true while consensus in this process works on a height. In this time, the transactions of peers get less
   * processor time.
   */
  readonly isConsensusBusy: () => boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface MempoolGossip {
  readonly reactor: Reactor
  readonly stop: () => void
}

interface PeerEntry {
  readonly peer: Peer
  readonly senderId: number
  readonly receiver: TxReceiver
  /** Aborted when the peer has disconnected. */
  readonly disconnected: AbortController
  /** Aborted when the peer has disconnected, or when the gossip stops. */
  readonly sendingEnded: JoinedSignal
  /** Present while the node sends transactions to the peer. */
  sender: TxSender | undefined
  /** Releases the slot of the peer. Does nothing if the peer has no slot. */
  releaseSlot: () => void
}

interface MempoolMessage {
  readonly case: 'txs'
  readonly value: TxsMessage
}

/** Creates a semaphore for `limit` peers; 0 means no limit. */
const slotsForPeers = (limit: number): Semaphore => createSemaphore(limit === 0 ? Number.POSITIVE_INFINITY : limit)

/**
 * Creates the gossip of transactions: the node sends each transaction once to every peer, except to the peers that sent
 * it.
 */
export function createMempoolGossip(options: MempoolGossipOptions, modules: MempoolGossipModules): MempoolGossip {
  const { mempool, heights, isUnconditional, clock, logger } = modules
  const { activeOutboundConnections } = createMempoolMetrics(modules.metrics)
  const senderIds = createSenderIds()
  const slots = {
    persistent: slotsForPeers(options.maxPersistentPeers),
    other: slotsForPeers(options.maxNonPersistentPeers),
    unconditional: slotsForPeers(0),
  }
  const ended = new AbortController()
  const turns = createTxTurns(TXS_PER_MS, modules)
  // The number of bytes of a message with one transaction of the maximum size.
  const largest = fieldSize(fieldSize(options.maxTxBytes))

  const wakeAll = oncePerTurn(() => {
    for (const { sender } of peers.values()) sender?.wake()
  })

  mempool.onEntry(wakeAll, ended.signal)
  heights.onHeight((id) => peers.get(id)?.sender?.wake(), ended.signal)

  function slotsFor(peer: Peer): Semaphore {
    if (isUnconditional(peer.id)) return slots.unconditional
    return peer.persistent ? slots.persistent : slots.other
  }

  function join(peer: Peer): PeerEntry {
    const senderId = senderIds.reserve(peer.id)
    const [disconnected, sendingEnded] = [new AbortController(), joinSignals(ended.signal)]
    const receiver = createTxReceiver(options, { mempool, turn: turns.addPeer(), signal: disconnected.signal, logger })
    return { peer, senderId, receiver, disconnected, sendingEnded, sender: undefined, releaseSlot: () => undefined }
  }

  /**
   * Begins to send transactions to the peer as soon as a slot is free. Persistent peers and other peers have separate
   * slots.
   */
  async function joined(entry: PeerEntry): Promise<void> {
    const { peer, senderId, disconnected, sendingEnded } = entry
    if (!options.broadcast) return
    const { acquire, release } = slotsFor(peer)
    const hasSlot = await acquire(disconnected.signal).then(
      () => true,
      () => false,
    )
    if (!hasSlot) return
    // A peer can get a slot and disconnect in the same turn of the event loop. It then still holds the slot.
    if (disconnected.signal.aborted) return release()
    activeOutboundConnections.add(1)
    entry.releaseSlot = () => {
      activeOutboundConnections.add(-1)
      release()
    }
    entry.sender = createTxSender(peer, {
      entries: mempool.entries(),
      senderId,
      peerHeight: () => heights.heightOf(peer.id),
      isBusy: () => mempool.size() >= RELAY_DELAY_MIN_TXS,
      maxBatchBytes: Math.min(options.maxTxBytes, BATCH_BYTES),
      clock,
      signal: sendingEnded.signal,
    })
    entry.sender.wake()
  }

  function left({ peer, disconnected, sendingEnded, releaseSlot }: PeerEntry): void {
    disconnected.abort()
    sendingEnded.abort()
    senderIds.release(peer.id)
    releaseSlot()
  }

  const protocol = defineProtocol<MempoolMessage, PeerEntry>({
    name: 'mempool',
    labels: [undefined, 'mempool_Txs'],
    channels: [
      {
        id: MEMPOOL_CHANNEL,
        priority: 5,
        capacity: SEND_QUEUE_CAPACITY,
        maxBytes: Math.max(largest, options.maxBatchBytes),
        carries: ['txs'],
      },
    ],
    decode: (bytes) => ({ case: 'txs', value: openTxsMessage(bytes, options) }),
    handlers: { txs: ({ receiver, senderId }, message) => receiver.receive(message, senderId) },
    join,
    joined: (entry) => void joined(entry),
    left,
    sizes: () => ({ senders: senderIds.size() }),
  })
  const { peers } = protocol

  if (!options.broadcast) logger.info('Tx broadcasting is disabled')
  return {
    reactor: protocol,
    stop: () => ended.abort(),
  }
}
