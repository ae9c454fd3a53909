import type { Logger } from '@org/runtime'
import type { BlockPool } from './pool/index.ts'

const RATE_EVERY = 100

/** Logs the blocks per second of block sync after each 100 blocks, with the reference's words. */
export interface SyncRate {
  /** To be called after each block that was applied. */
  readonly applied: () => void
}

export interface SyncRateModules {
  readonly pool: Pick<BlockPool, 'height' | 'maxPeerHeight'>
  readonly monotonic: () => number
  readonly logger: Logger
}

export function createSyncRate({ pool, monotonic, logger }: SyncRateModules): SyncRate {
  let blocks = 0
  let since = monotonic()
  let rate = 0

  return {
    applied: () => {
      if (++blocks % RATE_EVERY !== 0) return
      const now = monotonic()
      const current = RATE_EVERY / Math.max((now - since) / 1000, 0.001)
      rate = rate === 0 ? current : 0.9 * rate + 0.1 * current
      since = now
      logger.info('Block Sync Rate', {
        height: pool.height(),
        max_peer_height: pool.maxPeerHeight(),
        'blocks/s': Number(rate.toFixed(1)),
      })
    },
  }
}
