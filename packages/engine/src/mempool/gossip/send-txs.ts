import type { Peer } from '@org/p2p'
import type { Clock, Timer } from '@org/runtime'
import { txProtoSize } from '@org/types/block'
import { Message } from '@org/types/mempool'
import { fieldSize } from '@org/types/schema'
import type { EntryCursor, MempoolEntry } from '../entry-list.ts'
import { HOLD_MS, MEMPOOL_CHANNEL } from './options.ts'

/** The sender number of transactions from the RPC. */
const NO_PEER = 0

/** The delay after a send that failed, or that waited ten seconds without finding room. */
const RETRY_MS = 1000

/**
 * Sends one peer every transaction once, in order, except the transactions that came from this peer. One message may
 * contain several transactions.
 */
export interface SendTxs {
  /** To be called when there may be more to send. */
  readonly wake: () => void
  readonly stop: () => void
}

export interface SendTxsModules {
  readonly entries: EntryCursor
  /** The number of the peer in the senders of entries. */
  readonly senderId: number
  readonly peerHeight: () => number
  /**
   * Returns true if many transactions wait, so that the two sides of a connection should avoid sending each other the
   * same ones.
   */
  readonly isBusy: () => boolean
  /** The longest message with several transactions, in encoded bytes. */
  readonly maxBatchBytes: number
  readonly clock: Clock
}

export function createSendTxs(peer: Peer, modules: SendTxsModules): SendTxs {
  const { entries, senderId, peerHeight, isBusy, maxBatchBytes, clock } = modules
  let next: MempoolEntry | undefined
  /** The message that could not be sent. */
  let unsent: Uint8Array | undefined
  let state: 'idle' | 'sending' | 'stopped' = 'idle'
  let retry: Timer | undefined
  let held: Timer | undefined

  /** Milliseconds for which a transaction is held back, because the peer will probably send it to this node. */
  function holdLeft({ senders, takenAt }: MempoolEntry): number {
    if (!peer.outbound || senders.has(NO_PEER) || !isBusy()) return 0
    return takenAt + HOLD_MS - clock.monotonic()
  }

  function hold(ms: number): void {
    held ??= clock.after(ms, () => {
      held = undefined
      advance()
    })
  }

  /** All transactions that may be sent now, up to the size of one message; `undefined` if there are none. */
  function message(): Uint8Array | undefined {
    const txs: Uint8Array[] = []
    let bytes = 0
    for (;;) {
      // An entry that was held back may have been removed since, because a block contains it.
      if (next === undefined || !entries.isListed()) next = entries.next()
      if (next === undefined) break
      // An empty transaction is not sent: any receiver would end the connection.
      if (next.tx.length > 0 && !next.senders.has(senderId)) {
        // A peer that is more than one block behind would check the transaction against an old state.
        if (peerHeight() < next.height - 1) break
        const left = holdLeft(next)
        if (left > 0) {
          hold(left)
          break
        }
        const size = txProtoSize(next.tx)
        if (txs.length > 0 && fieldSize(bytes + size) > maxBatchBytes) break
        txs.push(next.tx)
        bytes += size
      }
      next = undefined
    }
    return txs.length === 0 ? undefined : Message.encode({ sum: { case: 'txs', value: { txs } } })
  }

  function advance(): void {
    while (state === 'idle') {
      const bytes = unsent ?? message()
      unsent = undefined
      if (bytes === undefined) return
      // If the message must wait for room, further transactions are collected meanwhile and sent together in the next
      // message. So a busier peer gets larger messages.
      if (!peer.trySend(MEMPOOL_CHANNEL, bytes)) void wait(bytes)
    }
  }

  async function wait(bytes: Uint8Array): Promise<void> {
    state = 'sending'
    const sent = await peer.send(MEMPOOL_CHANNEL, bytes)
    if (state !== 'sending') return
    state = 'idle'
    if (sent) advance()
    else {
      unsent = bytes
      retry = clock.after(RETRY_MS, advance)
    }
  }

  return {
    wake: advance,
    stop: () => {
      state = 'stopped'
      retry?.cancel()
      held?.cancel()
    },
  }
}
