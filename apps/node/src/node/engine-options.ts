import type { EngineOptions } from '@org/engine'
import { type SearchLimits, UNLIMITED_SEARCH } from '@org/engine/storage'
import { MAX_PROPOSED_ITEMS } from '@org/types'
import { type Config, durationToMs, pathsOf } from '../config/index.ts'
import { maxAgreedItems } from '../memory/max-agreed-items.ts'
import { checksShare, type MemoryLimits } from '../memory/shares.ts'

/** The maximum number of transactions that wait for the application's answer to CheckTx. The reference has no limit. */
const MAX_PENDING_CHECKS = 20_000
const MAX_PENDING_CHECK_BYTES = 256 * 1024 * 1024

/** Returns the limits of one search, and whether a search must repeat the mistakes of the reference's search. */
export function searchLimits({ rpc }: Config): SearchLimits {
  // A strict node must answer every search that the reference answers. So its searches have no limits.
  if (rpc.strict) return { ...UNLIMITED_SEARCH, referenceQueries: true }
  return {
    referenceQueries: false,
    scanBudget: rpc.searchScanBudget,
    deadlineMs: durationToMs(rpc.searchDeadline),
  }
}

export function engineOptions(config: Config, limits: MemoryLimits): EngineOptions {
  const { consensus, mempool, storage, txIndex } = config
  return {
    consensus: {
      timeoutPropose: consensus.timeoutPropose,
      timeoutProposeDelta: consensus.timeoutProposeDelta,
      timeoutPrevote: consensus.timeoutPrevote,
      timeoutPrevoteDelta: consensus.timeoutPrevoteDelta,
      timeoutPrecommit: consensus.timeoutPrecommit,
      timeoutPrecommitDelta: consensus.timeoutPrecommitDelta,
      timeoutCommit: consensus.timeoutCommit,
      skipTimeoutCommit: consensus.skipTimeoutCommit,
      createEmptyBlocks: consensus.createEmptyBlocks,
      createEmptyBlocksInterval: consensus.createEmptyBlocksInterval,
      blockTimeTolerance: consensus.blockTimeTolerance,
      maxProposedItems: MAX_PROPOSED_ITEMS,
      maxAgreedItems: maxAgreedItems(),
      doubleSignCheckHeight: consensus.doubleSignCheckHeight,
      walFile: pathsOf(config).wal,
    },
    mempool: {
      kind: mempool.type === 'nop' ? 'nop' : 'flood',
      recheck: mempool.recheck,
      recheckTimeout: durationToMs(mempool.recheckTimeout),
      size: mempool.size,
      maxTxsBytes: mempool.maxTxsBytes,
      cacheSize: mempool.cacheSize,
      keepInvalidTxsInCache: mempool.keepInvalidTxsInCache,
      maxTxBytes: mempool.maxTxBytes,
      maxPending: MAX_PENDING_CHECKS,
      // If `maxPendingBytes` were below `maxTxBytes`, the node would always refuse a transaction of the maximum size.
      maxPendingBytes: Math.max(checksShare(limits, MAX_PENDING_CHECK_BYTES), mempool.maxTxBytes),
    },
    storage: { discardAbciResponses: storage.discardAbciResponses },
    index: { enabled: txIndex.indexer === 'kv', prune: txIndex.prune, search: searchLimits(config) },
  }
}
