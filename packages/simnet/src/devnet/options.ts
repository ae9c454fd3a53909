import type { Application } from '@org/abci'
import type { Logger } from '@org/runtime'
import type { ChainGenesis } from '../chain/options.ts'

export interface DevnetOptions {
  /** Makes an application: one for each validator, and again after `revert`. */
  readonly app: () => Application
  /** The number of validators. Default 1. */
  readonly validators?: number
  /** Whether a transaction is put into a block at once. Default true. */
  readonly automine?: boolean
  /** Real milliseconds from one block to the next; 0 for no such blocks. Default 0. */
  readonly interval?: number
  /** Members of the genesis document that differ from the default. The default of `genesisTime` is the present time. */
  readonly genesis?: ChainGenesis
  readonly logger?: Logger
}
