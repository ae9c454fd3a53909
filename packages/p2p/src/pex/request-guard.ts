/** Keeps peers from asking for addresses too often. The first two questions are free, as in the reference. */
export interface RequestGuard {
  /** False when the peer asks too soon. */
  readonly mayAsk: (id: string) => boolean
  readonly forget: (id: string) => void
  /** Peers that asked. */
  readonly size: () => number
}

export function createRequestGuard(minIntervalMs: number, monotonic: () => number): RequestGuard {
  const asked = new Map<string, number | 'first'>()
  return {
    mayAsk: (id) => {
      const last = asked.get(id)
      const now = monotonic()
      if (typeof last === 'number' && now - last < minIntervalMs) return false
      asked.set(id, last === undefined ? 'first' : now)
      return true
    },
    forget: (id) => void asked.delete(id),
    size: () => asked.size,
  }
}
