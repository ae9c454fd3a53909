import type { Peer } from '@org/p2p'
import type { Clock, Timer } from '@org/runtime'
import { Message } from '@org/types/mempool'
import type { EntryCursor, MempoolEntry } from '../entry-list.ts'
import { MEMPOOL_CHANNEL } from './options.ts'

/** After a send that found no room for ten seconds, or failed. */
const RETRY_MS = 1000

/** Tells one peer every transaction once, in order, except those that came from it. */
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
  readonly clock: Clock
}

const encode = ({ tx }: MempoolEntry): Uint8Array => Message.encode({ sum: { case: 'txs', value: { txs: [tx] } } })

export function createTellPeer(peer: Peer, modules: TellPeerModules): TellPeer {
  const { entries, senderId, peerHeight, clock } = modules
  let next: MempoolEntry | undefined
  let state: 'idle' | 'sending' | 'stopped' = 'idle'
  let retry: Timer | undefined

  function advance(): void {
    while (state === 'idle') {
      next ??= entries.next()
      if (next === undefined) return
      if (!next.senders.has(senderId)) {
        // A peer more than a block behind would check it against an old state.
        if (peerHeight() < next.height - 1) return
        const message = encode(next)
        if (!peer.trySend(MEMPOOL_CHANNEL, message)) {
          void wait(message)
          return
        }
      }
      next = undefined
    }
  }

  async function wait(message: Uint8Array): Promise<void> {
    state = 'sending'
    const sent = await peer.send(MEMPOOL_CHANNEL, message)
    if (state !== 'sending') return
    state = 'idle'
    if (sent) {
      next = undefined
      advance()
    } else retry = clock.after(RETRY_MS, advance)
  }

  return {
    wake: advance,
    stop: () => {
      state = 'stopped'
      retry?.cancel()
    },
  }
}
