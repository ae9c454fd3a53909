import type { Peer } from '@org/p2p'
import type { Clock, Timer } from '@org/runtime'
import { txProtoSize } from '@org/types'
import { MempoolMessage } from '@org/types/messages'
import { fieldSize } from '@org/types/schema'
import type { EntryCursor, MempoolEntry } from '../entry-list.ts'
import { MEMPOOL_CHANNEL, RELAY_DELAY_MS } from './options.ts'

/** The number that is recorded as the sender of a transaction from the RPC. */
const NO_PEER = 0

/**
 * If a message was not sent, the node tries again after this many milliseconds. A message is not sent if the
 * connection has no room for ten seconds, or if sending fails.
 */
const RETRY_MS = 1000

/**
 * Sends every transaction once to one peer, in order, except the transactions that this peer sent. One message may
 * contain several transactions.
 */
export interface TxSender {
  /** Must be called when there may be new transactions for the peer, or when the peer's height has changed. */
  readonly wake: () => void
}

export interface TxSenderModules {
  readonly entries: EntryCursor
  /** The number of this peer in the mempool. An entry contains the numbers of all peers that sent its transaction. */
  readonly senderId: number
  readonly peerHeight: () => number
  /**
   * Returns true if the mempool has many transactions. Then the node that dialled the connection waits before it sends
   * a transaction that came from another peer. During this delay the peer often sends the same transaction itself. So
   * the two nodes of the connection do not send each other the same transactions.
   */
  readonly isBusy: () => boolean
  /** The maximum number of encoded bytes of a message with several transactions. */
  readonly maxBatchBytes: number
  readonly clock: Clock
  /** Aborts when the peer has disconnected, or when the gossip stops. Nothing is sent after that. */
  readonly signal: AbortSignal
}

export function createTxSender(peer: Peer, modules: TxSenderModules): TxSender {
  const { entries, senderId, peerHeight, isBusy, maxBatchBytes, clock, signal } = modules
  let next: MempoolEntry | undefined
  /** The message that could not be sent. It is sent again before any other message. */
  let unsent: Uint8Array | undefined
  let isSending = false
  let retry: Timer | undefined
  let delayTimer: Timer | undefined

  /**
   * Returns the number of milliseconds for which the node must still wait before it sends the transaction; 0 or less if
   * it need not wait. The node waits because the peer will probably send the same transaction itself.
   */
  function remainingDelay({ senders, takenAt }: MempoolEntry): number {
    if (!peer.outbound || senders.has(NO_PEER) || !isBusy()) return 0
    return takenAt + RELAY_DELAY_MS - clock.monotonic()
  }

  function advanceAfter(ms: number): void {
    delayTimer ??= clock.after(ms, () => {
      delayTimer = undefined
      advance()
    })
  }

  /**
   * Returns a message with the next transactions that may be sent now, up to the maximum size; `undefined` if there are
   * none.
   */
  function message(): Uint8Array | undefined {
    const txs: Uint8Array[] = []
    let bytes = 0
    for (;;) {
      // The node may have waited before it could send the transaction of the entry `next`. If a block contained this
      // transaction in the meantime, the entry was removed from the mempool. The node then takes the entry after it.
      if (next === undefined || !entries.isListed()) next = entries.next()
      if (next === undefined) break
      // An empty transaction is not sent, because the peer would end the connection.
      if (next.tx.length > 0 && !next.senders.has(senderId)) {
        // A peer that is more than one block behind would check the transaction against an old state. So the node waits
        // until the peer's height changes.
        if (peerHeight() < next.height - 1) break
        const delayMs = remainingDelay(next)
        if (delayMs > 0) {
          advanceAfter(delayMs)
          break
        }
        const size = txProtoSize(next.tx)
        if (txs.length > 0 && fieldSize(bytes + size) > maxBatchBytes) break
        txs.push(next.tx)
        bytes += size
      }
      next = undefined
    }
    return txs.length === 0 ? undefined : MempoolMessage.encode({ sum: { case: 'txs', value: { txs } } })
  }

  function advance(): void {
    while (!isSending && !signal.aborted) {
      const bytes = unsent ?? message()
      unsent = undefined
      if (bytes === undefined) return
      // If the channel's queue is full, this loop stops. The function `sendWhenRoom` sends the message when the queue
      // has room, and then continues the loop. The next message contains the transactions that arrive in the meantime.
      // So a slow peer gets fewer and larger messages.
      if (!peer.trySend(MEMPOOL_CHANNEL, bytes)) void sendWhenRoom(bytes)
    }
  }

  async function sendWhenRoom(bytes: Uint8Array): Promise<void> {
    isSending = true
    const sent = await peer.send(MEMPOOL_CHANNEL, bytes)
    isSending = false
    if (signal.aborted) return
    if (sent) advance()
    else {
      unsent = bytes
      retry = clock.after(RETRY_MS, advance)
    }
  }

  signal.addEventListener(
    'abort',
    () => {
      retry?.cancel()
      delayTimer?.cancel()
    },
    { once: true },
  )
  return { wake: advance }
}
