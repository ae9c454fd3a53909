import type { Peer } from '@org/p2p'
import { CHANNELS } from './options.ts'

/** Announcements that wait for a peer that reads slowly. */
const CAPACITY = 200

export type Announcement = 'newRoundStep' | 'newValidBlock' | 'hasVote'

/**
 * What one peer is told of this node's state, in order. It is kept until `flush`, so that steps which follow each other at once
 * become one message, and what is not urgent leaves with what is. If the peer reads too slowly, newer announcements of a kind
 * replace older ones, and `hasVote`s, which only save traffic, are left out.
 */
export interface Outbox {
  /** `place` is the height and round of a step: a later step of the same place replaces it. */
  readonly say: (kind: Announcement, message: Uint8Array, place?: string) => void
  /** Sends what waits. */
  readonly flush: () => void
  /** True if something waits that others act on: all but `hasVote`s. */
  readonly isUrgent: () => boolean
  /** True if something was lost: the peer should hear the state anew. */
  readonly isStale: () => boolean
  readonly size: () => number
  readonly stop: () => void
}

interface Item {
  readonly kind: Announcement
  readonly message: Uint8Array
  readonly place: string | undefined
}

export function createOutbox(peer: Peer): Outbox {
  let waiting: Item[] = []
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

  function flush(): void {
    if (isSending || isStopped) return
    let sent = 0
    for (const { message } of waiting) {
      if (!peer.trySend(CHANNELS.state, message)) break
      sent++
    }
    waiting.splice(0, sent)
    if (waiting.length > 0) void drain()
  }

  return {
    say: (kind, message, place) => {
      if (isStopped) return
      if (kind === 'newRoundStep') stale = false
      const last = place === undefined ? -1 : waiting.findIndex((item) => item.place === place)
      if (last >= 0 && waiting.slice(last + 1).every((item) => item.kind === 'hasVote')) waiting.splice(last, 1)
      else if (isSending && kind !== 'hasVote') waiting = waiting.filter((item) => item.kind !== kind)
      if (kind === 'hasVote' && waiting.length >= CAPACITY) return
      waiting.push({ kind, message, place })
    },
    flush,
    isUrgent: () => waiting.some(({ kind }) => kind !== 'hasVote'),
    isStale: () => stale,
    size: () => waiting.length,
    stop: () => {
      isStopped = true
      waiting = []
    },
  }
}
