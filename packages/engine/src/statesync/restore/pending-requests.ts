import { dropOldest } from '@org/runtime'
import type { ChunkRequest } from '@org/types/messages'

/**
 * Keeps, for each peer, the requests for chunks that the peer has not answered, at most `maxPerPeer`. A peer may answer
 * late: after the chunk was requested from another peer, or after state sync has ended its attempt to restore the
 * snapshot. If a chunk was requested from a peer twice, the peer may send the chunk twice.
 */
export interface PendingRequests {
  readonly add: (peer: string, request: ChunkRequest) => void
  /**
   * Removes the request, because the peer has answered it. Returns false if no such request is pending: then the peer
   * sent a chunk that was not requested from it.
   */
  readonly remove: (peer: string, request: ChunkRequest) => boolean
  readonly count: (peer: string) => number
  readonly removePeer: (peer: string) => void
}

const keyOf = ({ height, format, index }: ChunkRequest): string => `${height}/${format}/${index}`

export function createPendingRequests(maxPerPeer: number): PendingRequests {
  /** For each peer: the keys of the chunks that were requested from it, and how often each chunk was requested. */
  const requests = new Map<string, Map<string, number>>()
  return {
    add: (peer, request) => {
      const own = requests.get(peer) ?? new Map<string, number>()
      requests.set(peer, own)
      const key = keyOf(request)
      const times = own.get(key) ?? 0
      own.delete(key)
      own.set(key, times + 1)
      dropOldest(own, maxPerPeer)
    },
    remove: (peer, request) => {
      const own = requests.get(peer)
      const key = keyOf(request)
      const times = own?.get(key)
      if (own === undefined || times === undefined) return false
      if (times > 1) own.set(key, times - 1)
      else own.delete(key)
      if (own.size === 0) requests.delete(peer)
      return true
    },
    count: (peer) => requests.get(peer)?.size ?? 0,
    removePeer: (peer) => void requests.delete(peer),
  }
}
