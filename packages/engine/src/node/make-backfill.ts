import type { Clock, Logger, Metrics } from '@org/runtime'
import type { GenesisDoc, State } from '@org/types'
import type { ExpiryState } from '../evidence/index.ts'
import type { SignatureChecker } from '../signatures/index.ts'
import {
  type Backfill,
  createBackfill,
  DEFAULT_BACKFILL_OPTIONS,
  type HeaderServer,
} from '../statesync/backfill/index.ts'
import type { BlockStore, StateStore } from '../store/index.ts'
import type { EngineOptions } from './options.ts'

export interface LatestStateModules {
  readonly blockStore: Pick<BlockStore, 'height' | 'loadBlockMeta'>
  readonly stateStore: Pick<StateStore, 'loadConsensusParams'>
}

/**
 * Returns a function that returns the data which decide whether evidence has expired: the height and the time of the
 * last stored block, and the consensus parameters. If no block is stored, that function returns `initial`.
 */
export function latestState(initial: State, { blockStore, stateStore }: LatestStateModules): () => ExpiryState {
  return () => {
    const lastBlockHeight = blockStore.height()
    const header = blockStore.loadBlockMeta(lastBlockHeight)?.header
    if (header === undefined) return initial
    // The parameters are loaded for the height of the last stored block. The parameters for the next height may be
    // missing, because they are stored a short time after the block.
    const consensusParams = stateStore.loadConsensusParams(lastBlockHeight)
    return { lastBlockHeight, lastBlockTime: header.time, consensusParams }
  }
}

export interface MakeBackfillModules {
  readonly genesis: Pick<GenesisDoc, 'chainId'>
  readonly initialState: State
  readonly headerServers: ((chainId: string) => readonly HeaderServer[]) | undefined
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly signatures: Pick<SignatureChecker, 'findInvalid'>
  /** Returns true while block sync fetches new blocks, before consensus begins on this node. */
  readonly isCatchingUp: () => boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Makes the backfill of a node. If there are no header servers, the backfill fetches nothing. */
export function makeBackfill(options: Pick<EngineOptions, 'backfill'>, modules: MakeBackfillModules): Backfill {
  const { genesis, initialState, headerServers, signatures, logger } = modules
  const { chainId } = genesis
  return createBackfill(
    { ...DEFAULT_BACKFILL_OPTIONS, ...options.backfill },
    {
      ...modules,
      chainId,
      initialHeight: initialState.initialHeight,
      servers: headerServers?.(chainId) ?? [],
      findInvalid: signatures.findInvalid,
      latest: latestState(initialState, modules),
      logger: logger.child('statesync'),
    },
  )
}
