import type { Clock } from '@org/runtime'
import { subnetOf } from '@org/runtime/sockets'
import { LRUCache } from 'lru-cache'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { RpcOptions } from '../options.ts'

/** A limit on the calls of each address: a token bucket that fills at a constant rate, up to its size (the burst). */
export interface RateLimit {
  /**
   * Takes tokens from the bucket of an address: the sum of the costs of the operations in `methods`. If the bucket has
   * fewer tokens than this sum, takes none and returns false.
   */
  readonly tryTake: (remoteAddress: string, methods: readonly string[]) => boolean
}

/**
 * The maximum number of addresses whose buckets are kept. The bucket of the address whose last call is the oldest is
 * removed first.
 */
const MAX_ADDRESSES = 10_000

interface Bucket {
  tokens: number
  /** The time of the last refill, on the monotonic clock. */
  at: number
}

/** The error message for a call above the limit. */
export const RATE_LIMITED = 'rate limit exceeded'

/** Parses the entries of `rate_costs`. Throws RpcError (`RPC_CONFIG`) for an invalid entry. */
function parseCosts(costs: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    costs.map((text) => {
      const [, name = '', cost] = /^\s*(\w+)\s*=\s*(\d{1,6})\s*$/.exec(text) ?? []
      if (cost === undefined)
        throw new RpcError(
          RPC_ERRORS.config,
          `rate_costs has "${text}": write an operation and its cost, such as tx_search=10`,
        )
      return [name, Number(cost)] as const
    }),
  )
}

export type RateOptions = Pick<RpcOptions, 'rateLimit' | 'rateBurst' | 'rateCosts' | 'strict'>

/**
 * Returns `undefined` if the options set no limit, or if the node is strict. Throws RpcError (`RPC_CONFIG`) for invalid
 * costs.
 */
export function createRateLimit(
  { rateLimit, rateBurst, rateCosts, strict }: RateOptions,
  clock: Pick<Clock, 'monotonic'>,
  onRefused: () => void = () => undefined,
): RateLimit | undefined {
  const costs = parseCosts(rateCosts)
  if (rateLimit <= 0 || strict) return undefined
  const burst = Math.max(1, rateBurst > 0 ? rateBurst : rateLimit)
  const buckets = new LRUCache<string, Bucket>({ max: MAX_ADDRESSES })
  // A call never costs more than a full bucket. Otherwise it could never be answered.
  const costOf = (method: string): number => Math.min(burst, costs.get(method) ?? 1)
  return {
    tryTake: (remoteAddress, methods) => {
      // A client over a unix socket has no limit, because the permissions of the socket's file decide who can use the
      // socket.
      if (remoteAddress.startsWith('@')) return true
      const host = subnetOf(remoteAddress)
      const now = clock.monotonic()
      const bucket = buckets.get(host) ?? { tokens: burst, at: now }
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * rateLimit) / 1000)
      bucket.at = now
      buckets.set(host, bucket)
      const cost = methods.reduce((sum, method) => sum + costOf(method), 0)
      if (bucket.tokens < cost) {
        onRefused()
        return false
      }
      bucket.tokens -= cost
      return true
    },
  }
}
