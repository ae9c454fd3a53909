import { DEFAULT_MACHINE_OPTIONS } from '@org/engine/consensus'
import type { TallyOptions } from '../app/index.ts'
import type { SimNodeOptions } from '../node/index.ts'
import type { PlacedNode } from './layout.ts'
import { type NetworkOptions, SIM_CONSENSUS, SIM_RESTORE } from './options.ts'

/** The virtual time at which each network begins, in nanoseconds since 1970. */
export const START = 1_700_000_000_000_000_000n

export function tallyOptions(options: NetworkOptions): TallyOptions {
  return {
    extensions: options.extensionsFrom > 0,
    keepBlocks: options.appKeepsBlocks,
    acceptsCommitted: options.appTakesAgain,
    paramsEvery: options.appChangesParamsEvery,
    snapshotsEvery: options.appSnapshotsEvery,
    makesTxs: options.mempool === 'nop',
  }
}

export function nodeOptions(
  options: NetworkOptions,
  place: Omit<PlacedNode, 'refused'>,
  genesisText: string,
): SimNodeOptions {
  return {
    ...place,
    genesisText,
    start: START,
    consensus: { ...DEFAULT_MACHINE_OPTIONS, ...SIM_CONSENSUS, ...options.consensus },
    filterPeers: options.filterPeers,
    doubleSignCheckHeight: options.doubleSignCheckHeight,
    mempool: options.mempool,
    mempoolSize: options.mempoolSize,
    mempoolSeen: options.mempoolSeen,
    pruneIndexEvery: options.pruneIndexEvery,
    discardAbciResponses: options.discardAbciResponses,
    remoteSigner: options.remoteSigners,
    disk: options.disk,
    appIsInProcess: options.appIsInProcess,
    appSavesEvery: options.appSavesEvery,
    appDelayMs: options.appDelayMs,
    walHeadSize: options.walHeadSize,
    redialMs: options.redialMs,
    firstCheckMs: options.firstCheckMs,
    restore: place.isJoiner ? SIM_RESTORE : undefined,
    backfillPauseMs: options.joiners?.backfillPauseMs ?? 50,
  }
}
