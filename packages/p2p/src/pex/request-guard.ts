/**
 * Limits how often a peer may request addresses. The first two requests of a peer are always allowed, as in the
 * reference.
 */
export interface RequestGuard {
  /** Returns false if the peer's request comes too early after its last request. */
  readonly mayAsk: (id: string) => boolean
  readonly forget: (id: string) => void
  /** Returns the number of peers whose requests are remembered. */
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
