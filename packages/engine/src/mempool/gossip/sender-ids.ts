/** 0 is nobody; the reference's numbers are 16 bits wide. */
const MAX_SENDERS = 65_535

/** Small numbers for peers, which each transaction remembers in place of their ids. */
export interface SenderIds {
  readonly reserve: (peerId: string) => number
  /** 0 for a peer that has none. */
  readonly of: (peerId: string) => number
  readonly release: (peerId: string) => void
  readonly size: () => number
}

export function createSenderIds(): SenderIds {
  const byPeer = new Map<string, number>()
  const taken = new Set<number>()
  let last = 0

  // A number is not used again soon: entries may still remember who had it.
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
