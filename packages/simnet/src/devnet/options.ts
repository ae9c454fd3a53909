import type { Application } from '@org/abci'
import type { Op } from '@org/engine/storage'
import type { Logger } from '@org/runtime'
import type { ChainGenesis } from '../chain/options.ts'
import type { Applications } from './applications/index.ts'
import type { DevnetOrigin } from './origin.ts'

/** The options of {@link createDevnet}. */
export interface DevnetOptions {
  /**
   * A function that makes an application. It is called once for each validator, and again after `revert`. The parameter
   * `state` is the database with which the application begins. It is present only if the option `origin` contains a
   * database for the application. In place of a function, `app` may be the result of `connectApplications`, if the
   * applications run in other processes.
   */
  readonly app: ((state?: readonly Op[]) => Application | Promise<Application>) | Applications
  /** The chain with which the devnet begins. If it is given, the options `validators` and `genesis` have no effect. */
  readonly origin?: DevnetOrigin
  /**
   * Reads the chain in the home directory of a stopped node for `dev_fork`. `validators` is the number of validators
   * whose keys are replaced. Without this function, `dev_fork` is refused.
   */
  readonly readHome?: (home: string, validators: number) => Promise<DevnetOrigin>
  /** The real milliseconds in which an application must answer. Default 4000. */
  readonly answerWithin?: number
  /** The number of validators. Default 1. */
  readonly validators?: number
  /** True if a transaction is put into a block at once. Default true. */
  readonly automine?: boolean
  /**
   * The real milliseconds from one block to the next, if blocks are made at a fixed interval. 0, the default, makes no
   * such blocks.
   */
  readonly interval?: number
  /** Members of the genesis document that differ from the default. The default of `genesisTime` is the present time. */
  readonly genesis?: ChainGenesis
  readonly logger?: Logger
}
