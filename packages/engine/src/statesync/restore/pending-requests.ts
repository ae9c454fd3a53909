import { dropOldest } from '@org/runtime'
import type { ChunkRequest } from '@org/types/statesync'

/**
 * The requested chunks that have not come, for each peer; at most `maxPerPeer` each. A peer may send a chunk late:
 * after another peer was asked for it, or after the snapshot was given up. If a chunk was requested twice from a peer,
 * it may come twice.
 */
export interface PendingRequests {
  readonly add: (peer: string, request: ChunkRequest) => void
  /** Removes the request. Returns false if there was none: the peer sent a chunk that was not requested. */
  readonly remove: (peer: string, request: ChunkRequest) => boolean
  readonly count: (peer: string) => number
  readonly removePeer: (peer: string) => void
}

const keyOf = ({ height, format, index }: ChunkRequest): string => `${height}/${format}/${index}`

export function createPendingRequests(maxPerPeer: number): PendingRequests {
  /** How often each chunk was requested, by peer. */
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
