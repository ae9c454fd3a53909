export interface BlockStoreOptions {
  /** The maximum number of bytes of decoded blocks in memory. */
  readonly blockCacheBytes: number
  /** The maximum number of block metas in memory. */
  readonly metaCacheSize: number
  /** The maximum number of commits of each kind in memory. */
  readonly commitCacheSize: number
}

export const DEFAULT_BLOCK_STORE_OPTIONS: BlockStoreOptions = {
  blockCacheBytes: 4 << 20,
  metaCacheSize: 250,
  commitCacheSize: 100,
}

export interface StateStoreOptions {
  /** Whether only the latest response to FinalizeBlock is stored (`storage.discard_abci_responses`). */
  readonly discardAbciResponses: boolean
  /** The maximum number of validator sets (and of parameter sets) of past heights in memory. */
  readonly cacheSize: number
}

export const DEFAULT_STATE_STORE_OPTIONS: StateStoreOptions = { discardAbciResponses: false, cacheSize: 100 }

/** The names of the databases, each in `data/<name>.db`. */
export const DB_NAMES = { blocks: 'blockstore', state: 'state', txIndex: 'tx_index', evidence: 'evidence' } as const
