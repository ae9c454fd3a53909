export interface BlockStoreOptions {
  /** Bytes of decoded blocks kept in memory. */
  readonly blockCacheBytes: number
  /** The number of block metas kept in memory. */
  readonly metaCacheSize: number
  /** The number of commits of each kind kept in memory. */
  readonly commitCacheSize: number
}

export const DEFAULT_BLOCK_STORE_OPTIONS: BlockStoreOptions = {
  blockCacheBytes: 4 << 20,
  metaCacheSize: 250,
  commitCacheSize: 100,
}

export interface StateStoreOptions {
  /** Store only the latest response to FinalizeBlock (`storage.discard_abci_responses`). */
  readonly discardAbciResponses: boolean
  /** The number of validator sets (and of parameter sets) of past heights kept in memory. */
  readonly cacheSize: number
}

export const DEFAULT_STATE_STORE_OPTIONS: StateStoreOptions = { discardAbciResponses: false, cacheSize: 100 }

/** The names of the databases, each in `data/<name>.db`. */
export const DB_NAMES = { blocks: 'blockstore', state: 'state', txIndex: 'tx_index', evidence: 'evidence' } as const
