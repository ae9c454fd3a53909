import { ignore, type Peer, type Reactor } from '@org/p2p'
import type { Clock, Logger, Metrics } from '@org/runtime'
import { fieldSize } from '@org/types/schema'
import { createMempoolMetrics } from '../metrics.ts'
import {
  BATCH_BYTES,
  HOLD_FROM,
  MEMPOOL_CHANNEL,
  type MempoolGossipOptions,
  SEND_QUEUE_CAPACITY,
  TXS_PER_MS,
} from './options.ts'
import type { GossipMempool, PeerHeights } from './ports.ts'
import { createSemaphore } from './semaphore.ts'
import { createSendTxs, type SendTxs } from './send-txs.ts'
import { createSenderIds } from './sender-ids.ts'
import { createTakeTxs, type TakeTxs } from './take-txs.ts'
import { createTxTurns } from './turns.ts'

export interface MempoolGossipModules {
  readonly mempool: GossipMempool
  readonly heights: PeerHeights
  /** Transactions are sent to these peers without regard to the limits. */
  readonly isUnconditional: (peerId: string) => boolean
  /** True while this process works on a height. Transactions of peers then get less time. */
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
  readonly take: TakeTxs
  tell: SendTxs | undefined
  leave: () => void
}

/** Floods transactions: sends each one once to every peer, except to peers that sent it. */
export function createMempoolGossip(options: MempoolGossipOptions, modules: MempoolGossipModules): MempoolGossip {
  const { mempool, heights, isUnconditional, clock, logger } = modules
  const { activeOutboundConnections } = createMempoolMetrics(modules.metrics)
  const senderIds = createSenderIds()
  const slots = {
    persistent: createSemaphore(options.maxPersistentPeers),
    other: createSemaphore(options.maxNonPersistentPeers),
    unconditional: createSemaphore(0),
  }
  const peers = new Map<string, PeerEntry>()
  const turns = createTxTurns(TXS_PER_MS, modules)
  // The longest transaction in a list of one in a message.
  const largest = fieldSize(fieldSize(options.maxTxBytes))

  let wakeIsDue = false
  /** Wakes the senders once for all transactions that came together. */
  function wakeAll(): void {
    if (wakeIsDue) return
    wakeIsDue = true
    queueMicrotask(() => {
      wakeIsDue = false
      for (const { tell } of peers.values()) tell?.wake()
    })
  }

  const stopListening = [mempool.onEntry(wakeAll), heights.onHeight((id) => peers.get(id)?.tell?.wake())]

  function slotsFor(peer: Peer): keyof typeof slots {
    if (isUnconditional(peer.id)) return 'unconditional'
    return peer.persistent ? 'persistent' : 'other'
  }

  function addPeer(peer: Peer): void {
    const senderId = senderIds.reserve(peer.id)
    const take = createTakeTxs(options, { mempool, turn: turns.addPeer(), logger })
    const entry: PeerEntry = { take, tell: undefined, leave: () => undefined }
    peers.set(peer.id, entry)
    if (!options.broadcast) return
    entry.leave = slots[slotsFor(peer)].acquire(() => {
      activeOutboundConnections.add(1)
      entry.tell = createSendTxs(peer, {
        entries: mempool.entries(),
        senderId,
        peerHeight: () => heights.heightOf(peer.id),
        isBusy: () => mempool.size() >= HOLD_FROM,
        maxBatchBytes: Math.min(options.maxTxBytes, BATCH_BYTES),
        clock,
      })
      entry.tell.wake()
    })
  }

  function removePeer({ id }: Peer): void {
    const entry = peers.get(id)
    if (entry === undefined) return
    peers.delete(id)
    entry.take.stop()
    senderIds.release(id)
    if (entry.tell !== undefined) activeOutboundConnections.add(-1)
    entry.tell?.stop()
    entry.leave()
  }

  if (!options.broadcast) logger.info('Tx broadcasting is disabled')
  return {
    reactor: {
      name: 'mempool',
      channels: [
        {
          id: MEMPOOL_CHANNEL,
          priority: 5,
          sendQueueCapacity: SEND_QUEUE_CAPACITY,
          receiveMessageCapacity: Math.max(largest, options.maxBatchBytes),
        },
      ],
      addPeer,
      removePeer,
      sizes: () => ({ peers: peers.size, senders: senderIds.size() }),
      receive: (peer, _channel, bytes) =>
        peers.get(peer.id)?.take.receive(bytes, senderIds.of(peer.id)) ?? ignore('the peer disconnected'),
    },
    stop: () => {
      for (const stop of stopListening) stop()
      for (const { tell } of peers.values()) tell?.stop()
    },
  }
}
