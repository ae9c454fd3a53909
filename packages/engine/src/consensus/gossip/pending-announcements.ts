import type { Peer } from '@org/p2p'
import { CHANNELS } from './options.ts'

/** The maximum number of announcements that wait for a slow peer. */
const CAPACITY = 200

export type Announcement = 'newRoundStep' | 'newValidBlock' | 'hasVote'

/**
 * Announcements of this node's state to one peer, in order. The announcements wait until the gossip calls `flush`. If
 * this node takes several steps of a round in this time, the announcement of each step replaces the announcement of the
 * step before. Announcements of the kind `hasVote` are not urgent. They wait until they can be sent together with
 * urgent ones, or until a short time has passed.
 *
 * If the peer is slow, a new announcement also replaces older ones of the same kind, except `hasVote`. When too many
 * announcements wait, a new `hasVote` is dropped. The peer may then send a vote that this node already has.
 */
export interface PendingAnnouncements {
  /**
   * Adds an announcement. `place` is the height and round of a step. A later step of the same height and round replaces
   * the waiting announcement.
   */
  readonly announce: (kind: Announcement, message: Uint8Array, place?: string) => void
  /** Sends the waiting announcements. */
  readonly flush: () => void
  /**
   * Returns true if an announcement other than a `hasVote` is waiting. Such an announcement is urgent, because the peer
   * may react to it with a message. The peer only records a `hasVote`.
   */
  readonly isUrgent: () => boolean
  /**
   * Returns true if an announcement could not be sent and was dropped. Then this node must send its whole state to the
   * peer again.
   */
  readonly isStale: () => boolean
  readonly size: () => number
}

interface Item {
  readonly kind: Announcement
  readonly message: Uint8Array
  readonly place: string | undefined
}

/** Creates an empty list. Nothing is added or sent after the signal has aborted. */
export function createPendingAnnouncements(peer: Peer, signal: AbortSignal): PendingAnnouncements {
  let waiting: Item[] = []
  let isSending = false
  let stale = false

  async function drain(): Promise<void> {
    isSending = true
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      if (await peer.send(CHANNELS.state, item.message)) continue
      stale = true
      waiting = []
    }
    isSending = false
  }

  function flush(): void {
    if (isSending || signal.aborted) return
    let sent = 0
    for (const { message } of waiting) {
      if (!peer.trySend(CHANNELS.state, message)) break
      sent++
    }
    waiting.splice(0, sent)
    if (waiting.length > 0) void drain()
  }

  signal.addEventListener(
    'abort',
    () => {
      waiting = []
    },
    { once: true },
  )
  return {
    announce: (kind, message, place) => {
      if (signal.aborted) return
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
  }
}
