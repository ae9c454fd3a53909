import type { Logger } from '@org/runtime'
import type { RulesName } from './rules/index.ts'
import type { SnapshotOptions } from './snapshots/index.ts'
import type { KeyValueStorage } from './store/index.ts'

export interface KvStoreOptions {
  /** For a new state. Default `first-equals`. A state made under `document` keeps those when `first-equals` is asked for. */
  readonly rules?: RulesName
  /** Default: in memory. */
  readonly store?: KeyValueStorage
  /** Blocks that the node is asked to keep. Default 0: all. */
  readonly retainBlocks?: number
  /** Default: at most one in 100 heights under the rules of the service document, none under v0.38 (the reference has none). */
  readonly snapshots?: Partial<SnapshotOptions>
  readonly logger?: Logger
}
