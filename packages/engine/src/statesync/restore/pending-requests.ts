import { dropOldest } from '@org/runtime'
import type { ChunkRequest } from '@org/types/statesync'

/**
 * The chunks that were requested from each peer and have not come, at most `maxPerPeer` of each. A peer may send a chunk late: after the request was
 * repeated to another peer, or after the snapshot was given up.
 */
export interface PendingRequests {
  readonly add: (peer: string, request: ChunkRequest) => void
  /** Removes the request. Returns false if there was none: the peer sent a chunk that was not requested. */
  readonly settle: (peer: string, request: ChunkRequest) => boolean
  readonly count: (peer: string) => number
  readonly removePeer: (peer: string) => void
}

const keyOf = ({ height, format, index }: ChunkRequest): string => `${height}/${format}/${index}`

export function createPendingRequests(maxPerPeer: number): PendingRequests {
  const requests = new Map<string, Set<string>>()
  return {
    add: (peer, request) => {
      const own = requests.get(peer) ?? new Set()
      requests.set(peer, own)
      own.delete(keyOf(request))
      own.add(keyOf(request))
      dropOldest(own, maxPerPeer)
    },
    settle: (peer, request) => {
      const own = requests.get(peer)
      if (own?.delete(keyOf(request)) !== true) return false
      if (own.size === 0) requests.delete(peer)
      return true
    },
    count: (peer) => requests.get(peer)?.size ?? 0,
    removePeer: (peer) => void requests.delete(peer),
  }
}
