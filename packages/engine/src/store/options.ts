/** The sizes of the caches of the block store. */
export interface BlockStoreOptions {
  /** The maximum number of bytes of decoded blocks in the store's cache. */
  readonly blockCacheBytes: number
  /** The maximum number of block metas in the store's cache. */
  readonly metaCacheSize: number
  /** The maximum number of commits in each of the store's three caches of commits. */
  readonly commitCacheSize: number
}

export const DEFAULT_BLOCK_STORE_OPTIONS: BlockStoreOptions = {
  blockCacheBytes: 4 << 20,
  metaCacheSize: 250,
  commitCacheSize: 100,
}

/** The settings of the state store: which responses it keeps, and the size of its caches. */
export interface StateStoreOptions {
  /** True: only the latest response to FinalizeBlock is stored (`storage.discard_abci_responses`). */
  readonly discardAbciResponses: boolean
  /** The maximum number of validator sets, and of parameter sets, that the store keeps in memory. */
  readonly cacheSize: number
}

export const DEFAULT_STATE_STORE_OPTIONS: StateStoreOptions = { discardAbciResponses: false, cacheSize: 100 }

/** The names of the databases of a node. Each is in the folder `data/<name>.db`. */
export const DB_NAMES = { blocks: 'blockstore', state: 'state', txIndex: 'tx_index', evidence: 'evidence' } as const
