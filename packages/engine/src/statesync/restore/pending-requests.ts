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
      const ofPeer = requests.get(peer) ?? new Map<string, number>()
      requests.set(peer, ofPeer)
      const key = keyOf(request)
      const times = ofPeer.get(key) ?? 0
      ofPeer.delete(key)
      ofPeer.set(key, times + 1)
      dropOldest(ofPeer, maxPerPeer)
    },
    remove: (peer, request) => {
      const ofPeer = requests.get(peer)
      const key = keyOf(request)
      const times = ofPeer?.get(key)
      if (ofPeer === undefined || times === undefined) return false
      if (times > 1) ofPeer.set(key, times - 1)
      else ofPeer.delete(key)
      if (ofPeer.size === 0) requests.delete(peer)
      return true
    },
    count: (peer) => requests.get(peer)?.size ?? 0,
    removePeer: (peer) => void requests.delete(peer),
  }
}
