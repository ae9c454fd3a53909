/**
 * The greatest number that identifies a peer in the mempool. In the reference this number has 16 bits. The number 0
 * means that no peer sent the transaction.
 */
const MAX_SENDERS = 65_535

/**
 * Gives each connected peer a number. An entry of the mempool keeps the numbers of the peers that sent its transaction,
 * because a number takes less memory than a peer id.
 */
export interface SenderIds {
  readonly reserve: (peerId: string) => number
  /** Returns the number of the peer; 0 if the peer has no number. */
  readonly of: (peerId: string) => number
  readonly release: (peerId: string) => void
  readonly size: () => number
}

export function createSenderIds(): SenderIds {
  const byPeer = new Map<string, number>()
  const taken = new Set<number>()
  let last = 0

  // Finds a number that no connected peer has. The search begins after the number that was given to a peer last, so
  // that a released number is not given to another peer soon. Entries of the mempool may still contain the released
  // number, which there identifies the disconnected peer.
  function free(): number {
    for (let i = 0; i < MAX_SENDERS; i++) {
      last = (last % MAX_SENDERS) + 1
      if (!taken.has(last)) return last
    }
    return 0
  }

  return {
    reserve: (peerId) => {
      const id = free()
      byPeer.set(peerId, id)
      taken.add(id)
      return id
    },
    of: (peerId) => byPeer.get(peerId) ?? 0,
    release: (peerId) => {
      taken.delete(byPeer.get(peerId) ?? 0)
      byPeer.delete(peerId)
    },
    size: () => Math.max(byPeer.size, taken.size),
  }
}
