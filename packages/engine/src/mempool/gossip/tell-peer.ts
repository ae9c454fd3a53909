import type { Peer } from '@org/p2p'
import type { Clock, Timer } from '@org/runtime'
import { txProtoSize } from '@org/types/block'
import { Message } from '@org/types/mempool'
import { fieldSize } from '@org/types/schema'
import type { EntryCursor, MempoolEntry } from '../entry-list.ts'
import { HOLD_MS, MEMPOOL_CHANNEL } from './options.ts'

/** The sender of what came by RPC. */
const NOBODY = 0

/** After a send that found no room for ten seconds, or failed. */
const RETRY_MS = 1000

/** Tells one peer every transaction once, in order, except those that came from it. Several leave as one message. */
export interface TellPeer {
  /** Something changed: there may be more to tell. */
  readonly wake: () => void
  readonly stop: () => void
}

export interface TellPeerModules {
  readonly entries: EntryCursor
  /** The number under which entries know the peer. */
  readonly senderId: number
  readonly peerHeight: () => number
  /** So many transactions wait that none should cross a connection twice. */
  readonly isBusy: () => boolean
  /** A message with several transactions is no longer, as it is encoded. */
  readonly maxBatchBytes: number
  readonly clock: Clock
}

export function createTellPeer(peer: Peer, modules: TellPeerModules): TellPeer {
  const { entries, senderId, peerHeight, isBusy, maxBatchBytes, clock } = modules
  let next: MempoolEntry | undefined
  /** What could not be sent. */
  let unsent: Uint8Array | undefined
  let state: 'idle' | 'sending' | 'stopped' = 'idle'
  let retry: Timer | undefined
  let held: Timer | undefined

  /** For how long the peer most likely is about to tell this one itself. */
  function holdLeft({ senders, takenAt }: MempoolEntry): number {
    if (!peer.outbound || senders.has(NOBODY) || !isBusy()) return 0
    return takenAt + HOLD_MS - clock.monotonic()
  }

  function hold(ms: number): void {
    held ??= clock.after(ms, () => {
      held = undefined
      advance()
    })
  }

  /** All that the peer may be told now, as far as one message has room; `undefined` if there is nothing. */
  function message(): Uint8Array | undefined {
    const txs: Uint8Array[] = []
    let bytes = 0
    for (;;) {
      // What was held may be in a block by now.
      if (next === undefined || !entries.isThere()) next = entries.next()
      if (next === undefined) break
      // An empty one ends the connection wherever it arrives.
      if (next.tx.length > 0 && !next.senders.has(senderId)) {
        // A peer more than a block behind would check it against an old state.
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
      // What comes while a message waits for room makes the next one: the busier the peer, the more it is told at once.
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
