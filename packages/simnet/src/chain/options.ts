import type { Application, ConsensusParamsAnswer, ValidatorUpdateAnswer } from '@org/abci'
import type { Logger } from '@org/runtime'
import type { GenesisDoc, GenesisValidator } from '@org/types'

/** The options of {@link createChain}. */
export interface ChainOptions {
  /**
   * The application, or a function that makes one: it is called once for each validator, and again after `revert`.
   */
  readonly app: Application | (() => Application)
  /** The number of validators. Default 1. With more than one validator, `app` must be a function. */
  readonly validators?: number
  /** The power of each validator. Default 10. */
  readonly powers?: readonly (bigint | number)[]
  /** True if a broadcast transaction is committed at once. Default true. */
  readonly automine?: boolean
  /** The milliseconds between two blocks on the chain's virtual clock, a whole number. Default 1000. */
  readonly blockTime?: number
  /**
   * The real milliseconds within which the application must answer. Default 4000, which is less than vitest's time
   * limit for a test.
   */
  readonly answerWithin?: number
  /** Members of the genesis document that differ from the default, such as `appState` and `consensusParams`. */
  readonly genesis?: ChainGenesis
  readonly logger?: Logger
}

export interface ChainGenesis extends Partial<Omit<GenesisDoc, Lenient>> {
  /** The time as nanoseconds since 1970, a `Date`, or an RFC 3339 text. */
  readonly genesisTime?: bigint | Date | string
  readonly initialHeight?: number | bigint
  /** Parameters that differ from the default: groups and members may be left out. */
  readonly consensusParams?: ConsensusParamsGiven
  /**
   * `address` and `name` may be left out. Each node of the chain has a private key. A validator can sign only if a node
   * of the chain has its private key.
   */
  readonly validators?: readonly (ValidatorUpdateAnswer & Partial<Pick<GenesisValidator, 'address' | 'name'>>)[]
  /** The state that `initChain` gets: JSON text, or an object that becomes JSON text. */
  readonly appState?: string | object
}

type Lenient = 'genesisTime' | 'initialHeight' | 'consensusParams' | 'validators' | 'appState'
type ConsensusParamsGiven = {
  readonly [Group in keyof ConsensusParamsAnswer]: Partial<NonNullable<ConsensusParamsAnswer[Group]>> | undefined
}

/** The blocks or the time by which a chain advances. */
export interface Advance {
  /** The number of blocks to make. */
  readonly blocks?: number
  /**
   * The number of milliseconds by which the clock of the chain jumps ahead before the next block. Then blocks are made
   * until the time of the newest block is at least this much later than the time of the newest block before the call.
   */
  readonly time?: number
}
