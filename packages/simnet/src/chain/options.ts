import type { Application } from '@org/abci'
import type { Logger } from '@org/runtime'
import type { GenesisDoc } from '@org/types/genesis'

export interface ChainOptions {
  /** A function makes one for each validator, and another one after `revert`. */
  readonly app: Application | (() => Application)
  /** Default 1. More than one need a function as `app`. */
  readonly validators?: number
  /** The power of each; 10 where nothing is said. */
  readonly powers?: readonly (bigint | number)[]
  /** A transaction that is broadcast is committed at once. Default true. */
  readonly automine?: boolean
  /** Whole milliseconds from one block to the next, as the application sees them. Default 1000. */
  readonly blockTime?: number
  /** So long, in real milliseconds, the application may work without an answer. Default 4000: less than a test may take in vitest. */
  readonly answerWithin?: number
  /** Members of the genesis document that are not the default, such as `appState` and `consensusParams`. */
  readonly genesis?: ChainGenesis
  readonly logger?: Logger
}

export interface ChainGenesis extends Partial<Omit<GenesisDoc, 'appState'>> {
  /** The state that `initChain` gets: JSON text, or an object that becomes JSON text. */
  readonly appState?: string | object
}
