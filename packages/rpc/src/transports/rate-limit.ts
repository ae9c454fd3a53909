import type { Clock } from '@org/runtime'
import { LRUCache } from 'lru-cache'
import type { RpcOptions } from '../options.ts'

/** Calls that an address may make: a bucket that fills at a rate, up to a burst. */
export interface RateLimit {
  /** Takes `calls` from the bucket of an address; false if there are not as many. */
  readonly take: (remoteAddress: string, calls: number) => boolean
}

/** Addresses that are remembered; the one that was silent for longest goes first. */
const MAX_ADDRESSES = 10_000

interface Bucket {
  left: number
  /** When it was filled, on the monotonic clock. */
  at: number
}

/** What a call over the limit is told. */
export const RATE_LIMITED = 'rate limit exceeded'

/** Without the port: connections of one address share a bucket. */
const hostOf = (remoteAddress: string): string => remoteAddress.replace(/:\d+$/, '')

/** `undefined` when there is no limit. */
export function createRateLimit(
  { rateLimit, rateBurst, strict }: Pick<RpcOptions, 'rateLimit' | 'rateBurst' | 'strict'>,
  clock: Pick<Clock, 'monotonic'>,
): RateLimit | undefined {
  if (rateLimit <= 0 || strict) return undefined
  const burst = Math.max(1, rateBurst > 0 ? rateBurst : rateLimit)
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES })
  return {
    take: (remoteAddress, calls) => {
      // The permissions of its file guard a unix socket.
      if (remoteAddress.startsWith('@')) return true
      const host = hostOf(remoteAddress)
      const now = clock.monotonic()
      const bucket = buckets.get(host) ?? { left: burst, at: now }
      bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) * rateLimit) / 1000)
      bucket.at = now
      buckets.set(host, bucket)
      if (bucket.left < calls) return false
      bucket.left -= calls
      return true
    },
  }
}
