import { BLOCKSYNC_CHANNEL, DEFAULT_BLOCKSYNC_OPTIONS } from '@org/engine/protocols'
import { BlockSyncMessage } from '@org/types/messages'
import type { ChannelMessage } from '../peers/index.ts'

/** The bad blocks that a node received from a peer, during one life of the node. */
interface Received {
  /** The heights of the bad blocks that the peer sent on the current connection. */
  readonly heights: Set<number>
  /**
   * The time of the last disconnection from the peer after a bad block: the peer had sent a bad block on the
   * connection. `undefined` if no disconnection followed a bad block.
   */
  endedAt: number | undefined
}

/** Checks that block sync drops a peer that sends bad blocks, and requests nothing from it for a while. */
export interface BadBlockRules {
  /** To be called when a bad block of a hostile peer arrives at a node. */
  readonly received: (by: string, from: string, height: number) => void
  /** To be called when a node applied a good block of this height. */
  readonly applied: (by: string, height: number) => void
  /** To be called when the connection between a node and a peer ended. */
  readonly disconnected: (by: string, from: string) => void
  readonly sent: (from: string, to: string, channelMessage: ChannelMessage) => void
  /** To be called when a node was restarted. A restart ends its bans of block sync. */
  readonly restarted: (name: string) => void
}

export interface BadBlockModules {
  readonly violate: (rule: string, detail: string) => void
  readonly now: () => number
}

export function createBadBlockRules({ violate, now }: BadBlockModules): BadBlockRules {
  const nodes = new Map<string, Map<string, Received>>()

  function receivedFrom(by: string, from: string): Received {
    const peers = nodes.get(by) ?? new Map<string, Received>()
    nodes.set(by, peers)
    const one = peers.get(from) ?? { heights: new Set(), endedAt: undefined }
    peers.set(from, one)
    return one
  }

  return {
    received: (by, from, height) => void receivedFrom(by, from).heights.add(height),
    applied: (by, height) => {
      for (const [from, { heights }] of nodes.get(by) ?? []) {
        if (heights.delete(height))
          violate(
            'sync',
            `${by} applied block ${height}, and is still connected to ${from}, which sent a bad block of this height`,
          )
      }
    },
    disconnected: (by, from) => {
      const one = nodes.get(by)?.get(from)
      if (one === undefined || one.heights.size === 0) return
      one.heights.clear()
      one.endedAt = now()
    },
    sent: (from, to, { channel, bytes }) => {
      const endedAt = channel === BLOCKSYNC_CHANNEL ? nodes.get(from)?.get(to)?.endedAt : undefined
      if (endedAt === undefined || now() - endedAt >= DEFAULT_BLOCKSYNC_OPTIONS.pool.banFor) return
      const { sum } = BlockSyncMessage.decode(bytes)
      if (sum?.case !== 'blockRequest') return
      violate(
        'sync',
        `${from} requests block ${sum.value.height} from ${to}, which it disconnected because of a bad block`,
      )
    },
    restarted: (name) => void nodes.delete(name),
  }
}
