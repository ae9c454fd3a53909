import type { MachineOptions } from '../consensus/machine/index.ts'
import type { SearchLimits } from '../indexer/index.ts'
import type { MempoolOptions } from '../mempool/index.ts'

export interface EngineOptions {
  /** Everything that decides when consensus does what. */
  readonly consensus: MachineOptions & {
    /** The first file of the write-ahead log, such as `data/cs.wal/wal`. */
    readonly walFile: string
    /** How many blocks back this node's own signature forbids to join; 0 looks at none. */
    readonly doubleSignCheckHeight: number
  }
  readonly mempool: MempoolOptions & { readonly kind: 'flood' | 'nop' }
  readonly storage: { readonly discardAbciResponses: boolean }
  readonly index: {
    readonly enabled: boolean
    /** Index entries go when their blocks go. */
    readonly prune: boolean
    /** It is pruned when so many heights have to go. */
    readonly pruneInterval?: number
    /** What one search may take; 0 is no limit. Those left out have the index's defaults. */
    readonly search?: SearchLimits
  }
}
