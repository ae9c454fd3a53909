import type { MachineOptions } from '../consensus/machine/index.ts'
import type { SearchLimits } from '../indexer/index.ts'
import type { MempoolOptions } from '../mempool/index.ts'
import type { BackfillOptions } from '../statesync/backfill/index.ts'

/** The settings of consensus, mempool, storage and index. */
export interface EngineOptions {
  /** The timing and the limits of consensus. */
  readonly consensus: MachineOptions & {
    /** The head file of the write-ahead log, such as `data/cs.wal/wal`. */
    readonly walFile: string
    /**
     * Before the node joins consensus, it checks the newest `doubleSignCheckHeight - 1` blocks; the reference checks
     * the same number. The node does not join if its own key signed one of these blocks. With 0 or 1 it checks no
     * block.
     */
    readonly doubleSignCheckHeight: number
  }
  readonly mempool: MempoolOptions & { readonly kind: 'flood' | 'nop' }
  /** The options of the backfill after state sync. An option that is absent has its default value. */
  readonly backfill?: Partial<BackfillOptions>
  readonly storage: { readonly discardAbciResponses: boolean }
  readonly index: {
    readonly enabled: boolean
    /** True if index entries are removed when their blocks are pruned. */
    readonly prune: boolean
    /** Index entries are removed only when at least this many heights can be removed at once. */
    readonly pruneInterval?: number
    /** The limits of one search; 0 means no limit. A limit that is absent has the default value of the index. */
    readonly search?: SearchLimits
  }
}
