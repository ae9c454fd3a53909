import type { AbciConnections } from '@org/abci'
import type { Logger, Metrics } from '@org/runtime'
import type { GenesisDoc } from '@org/types'
import type { PublicKey } from '@org/types/crypto'
import {
  type BootstrapData,
  type BootstrapModules,
  bootstrapState,
  INFO_REQUEST,
  makeGenesisState,
  mustRestore,
} from '../execution/index.ts'
import type { BlockStore, StateStore } from '../store/index.ts'
import { isOnlyValidator } from './sync-decision.ts'

/** The parts of a node that state sync uses. The other parts do not exist yet. */
export interface RestoreParts {
  readonly genesis: GenesisDoc
  /** The started connections to the application. */
  readonly abci: AbciConnections
  readonly metrics: Metrics
}

/** The parts that state sync uses, and the data about this node that its RPC shows during state sync. */
export interface RestoreStart extends RestoreParts {
  /** The genesis document as compact JSON. */
  readonly genesisText: string
  readonly publicKey: PublicKey
}

/** Restores a snapshot into the application. */
export type RestoreFirst = (start: RestoreStart) => Promise<BootstrapData>

export interface RestoreFirstModules extends RestoreStart, Pick<BootstrapModules, 'signatures'> {
  readonly restore: RestoreFirst
  readonly stateStore: StateStore
  readonly blockStore: BlockStore
  readonly logger: Logger
}

/**
 * Restores a snapshot if `mustRestore` requires it and this node is not the only validator. After the restore, the node
 * continues with the stored state, as after a restart.
 */
export async function restoreFirst(modules: RestoreFirstModules): Promise<void> {
  const { restore, genesis, abci, publicKey, stateStore, blockStore, logger } = modules
  if (isOnlyValidator(makeGenesisState(genesis), publicKey)) return
  const { lastBlockHeight: app } = await abci.query.info(INFO_REQUEST)
  const heights = { state: stateStore.load()?.lastBlockHeight ?? 0, store: blockStore.height(), app }
  if (!mustRestore(heights)) {
    logger.info('Found local state with non-zero height, skipping state sync')
    return
  }
  logger.info('Starting state sync')
  const state = await bootstrapState({
    ...modules,
    restore: () => restore(modules),
    chainId: genesis.chainId,
  })
  logger.info('State sync is complete', { height: state.lastBlockHeight })
}
