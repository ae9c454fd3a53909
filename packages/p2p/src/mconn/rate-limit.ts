/**
 * A token bucket that gets `rate` bytes per second, and holds at most the bytes of one second. With a rate of 0 there
 * is no limit.
 */
export interface RateLimit {
  /** Returns the milliseconds until more bytes may pass; 0 if they may pass now. */
  readonly waitMs: () => number
  readonly spend: (bytes: number) => void
}

export function createRateLimit(rate: number, monotonic: () => number): RateLimit {
  if (rate === 0) return { waitMs: () => 0, spend: () => undefined }
  let level = rate
  let at = monotonic()
  const refill = (): void => {
    const now = monotonic()
    level = Math.min(rate, level + ((now - at) / 1000) * rate)
    at = now
  }
  return {
    waitMs: () => {
      refill()
      return level > 0 ? 0 : Math.ceil(((1 - level) / rate) * 1000)
    },
    spend: (bytes) => {
      level -= bytes
    },
  }
}
