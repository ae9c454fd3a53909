import { dropOldest } from '@org/runtime'
import type { NetAddress } from '../address/index.ts'
import { formatNetAddress } from '../address/index.ts'

/**
 * If more dials of an address than this have failed, the node does not dial the address again, except the address of a
 * persistent peer. The waits between these dials take about 36 hours together.
 */
const MAX_ATTEMPTS = 16

/**
 * Decides when the node may dial an address again after failures: after 2, 4, 8 … seconds, plus up to one second.
 * Failures are counted per `id@ip:port`. So if a peer sends the address of an honest node with a false id, the failures
 * do not count against the honest node.
 */
export interface DialPlan {
  /**
   * Returns whether an address may be dialled `now`, only `later`, or `never` again. The address of a persistent peer
   * may always be dialled again, and its wait after a failure is at most `maxMs` milliseconds. If `maxMs` is 0, this
   * wait has no maximum.
   */
  readonly mayDial: (
    address: NetAddress,
    jitter: number,
    persistent?: { readonly maxMs: number },
  ) => 'now' | 'later' | 'never'
  readonly failed: (address: NetAddress) => void
  readonly forget: (address: NetAddress) => void
  /** Returns the number of addresses for which failures are remembered. */
  readonly size: () => number
}

export function createDialPlan(monotonic: () => number, capacity = 5000): DialPlan {
  const attempts = new Map<string, { readonly count: number; readonly at: number }>()
  return {
    mayDial: (address, jitter, persistent) => {
      const entry = attempts.get(formatNetAddress(address))
      if (entry === undefined) return 'now'
      if (entry.count > MAX_ATTEMPTS && persistent === undefined) return 'never'
      const planned = (2 ** entry.count + jitter) * 1000
      const wait = persistent !== undefined && persistent.maxMs > 0 ? Math.min(planned, persistent.maxMs) : planned
      return monotonic() - entry.at < wait ? 'later' : 'now'
    },
    failed: (address) => {
      const key = formatNetAddress(address)
      const count = (attempts.get(key)?.count ?? 0) + 1
      attempts.delete(key)
      attempts.set(key, { count, at: monotonic() })
      dropOldest(attempts, capacity)
    },
    forget: (address) => void attempts.delete(formatNetAddress(address)),
    size: () => attempts.size,
  }
}
