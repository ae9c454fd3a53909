import type { Peer } from '@org/p2p'
import { CHANNELS } from './options.ts'

/** Announcements that wait for a peer that reads slowly. */
const CAPACITY = 200

export type Announcement = 'newRoundStep' | 'newValidBlock' | 'hasVote'

/**
 * What one peer is told of this node's state, in order. If the peer reads too slowly, newer announcements of a kind replace older
 * ones, and `hasVote`s, which only save traffic, are left out.
 */
export interface Outbox {
  readonly say: (kind: Announcement, message: Uint8Array) => void
  /** True if something was lost: the peer should hear the state anew. */
  readonly isStale: () => boolean
  readonly stop: () => void
}

export function createOutbox(peer: Peer): Outbox {
  let waiting: { readonly kind: Announcement; readonly message: Uint8Array }[] = []
  let isSending = false
  let isStopped = false
  let stale = false

  async function drain(): Promise<void> {
    isSending = true
    for (let item = waiting.shift(); item !== undefined && !isStopped; item = waiting.shift()) {
      if (await peer.send(CHANNELS.state, item.message)) continue
      stale = true
      waiting = []
    }
    isSending = false
  }

  return {
    say: (kind, message) => {
      if (isStopped) return
      if (kind === 'newRoundStep') stale = false
      if (!isSending && peer.trySend(CHANNELS.state, message)) return
      if (kind !== 'hasVote') waiting = waiting.filter((item) => item.kind !== kind)
      else if (waiting.length >= CAPACITY) return
      waiting.push({ kind, message })
      if (!isSending) void drain()
    },
    isStale: () => stale,
    stop: () => {
      isStopped = true
      waiting = []
    },
  }
}
