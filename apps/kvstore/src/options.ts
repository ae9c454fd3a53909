import type { Logger } from '@org/runtime'
import type { RulesName } from './rules/index.ts'
import type { SnapshotArchive, SnapshotOptions } from './snapshots/index.ts'
import type { KeyValueStorage } from './store/index.ts'

/** The rules, the storage and the snapshots of the key-value store. */
export interface KvStoreOptions {
  /**
   * The rules by which transactions are split into key and value and checked. Default `first-equals`. An existing
   * state that was made under the rules `document` keeps these rules, even if this option is `first-equals`.
   */
  readonly rules?: RulesName
  /** The storage of the state. Default: in memory. */
  readonly store?: KeyValueStorage
  /** The number of blocks that the application asks the node to keep. Default 0: all blocks. */
  readonly retainBlocks?: number
  /**
   * The options of snapshots. Default: at most one snapshot per 100 heights under the rules `first-equals` and
   * `document`; no snapshots under `v0.38`, as in the reference.
   */
  readonly snapshots?: Partial<SnapshotOptions>
  /** The archive that stores the snapshots. Default: in memory. */
  readonly archive?: SnapshotArchive
  readonly logger?: Logger
}
