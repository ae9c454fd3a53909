import { join } from 'node:path'
import { createMemoryStore, type KeyValueStore, openLevelStore } from '@org/engine/storage'
import { CLI_ERRORS, CliError } from '../errors.ts'

export interface Databases {
  /** Opens `<name>.db`. */
  readonly open: (name: string) => Promise<KeyValueStore>
  /** True if the databases are in memory, so that nothing is stored on the disk. */
  readonly memory: boolean
}

export interface DatabasesOptions {
  readonly directory: string
  /** The database: `goleveldb` or `cleveldb`, which have the same files, or `memdb`, which has no files. */
  readonly backend: string
}

/**
 * The size of the write buffer of the index. Each transaction has about ten keys in the index. With a small buffer,
 * LevelDB would write many small tables, and merge them later. The merging would take longer than the execution of the
 * transactions, because one thread merges the tables of all databases of a process. If the blocks are empty, the buffer
 * stays nearly empty and takes little memory.
 */
const INDEX_WRITE_BUFFER = 32 << 20

export function openDatabases({ directory, backend }: DatabasesOptions): Databases {
  if (backend === 'memdb') return { open: async () => createMemoryStore(), memory: true }
  if (backend !== 'goleveldb' && backend !== 'cleveldb') {
    throw new CliError(
      CLI_ERRORS.notBuilt,
      `db_backend = "${backend}" is not built in this version of halley: use "goleveldb", or "memdb", which loses all data when the node ends`,
    )
  }
  return {
    open: (name) =>
      openLevelStore(join(directory, `${name}.db`), name === 'tx_index' ? { writeBufferSize: INDEX_WRITE_BUFFER } : {}),
    memory: false,
  }
}
