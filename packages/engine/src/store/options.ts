export interface BlockStoreOptions {
  /** Bytes of decoded blocks kept in memory. */
  readonly blockCacheBytes: number
  /** How many block metas are kept in memory. */
  readonly metaCacheSize: number
  /** How many commits of each kind are kept in memory. */
  readonly commitCacheSize: number
}

export const BLOCK_STORE_DEFAULTS: BlockStoreOptions = {
  blockCacheBytes: 4 << 20,
  metaCacheSize: 250,
  commitCacheSize: 100,
}

export interface StateStoreOptions {
  /** Keep only the latest response to FinalizeBlock (`storage.discard_abci_responses`). */
  readonly discardAbciResponses: boolean
  /** How many validator sets (and parameter sets) of past heights are kept in memory. */
  readonly cacheSize: number
}

export const STATE_STORE_DEFAULTS: StateStoreOptions = { discardAbciResponses: false, cacheSize: 100 }

/** The names of the databases, each in `data/<name>.db`. */
export const DB_NAMES = { blocks: 'blockstore', state: 'state', txIndex: 'tx_index', evidence: 'evidence' } as const
