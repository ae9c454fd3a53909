import { join } from 'node:path'
import { createMemoryStore, type KeyValueStore, openLevelStore } from '@org/engine/store'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'

export interface Databases {
  /** Opens `<name>.db`. */
  readonly open: (name: string) => Promise<KeyValueStore>
  /** Nothing is kept. */
  readonly memory: boolean
}

export interface DatabasesOptions {
  readonly directory: string
  /** `goleveldb` and `cleveldb` have the same files; `memdb` has none. */
  readonly backend: string
}

/**
 * Each transaction has some ten keys in the index: with small tables, putting them together again and again would take LevelDB, and with
 * it the one thread that does so for all databases of a process, longer than executing the transactions. Empty blocks hardly fill it.
 */
const INDEX_WRITE_BUFFER = 32 << 20

export function openDatabases({ directory, backend }: DatabasesOptions): Databases {
  if (backend === 'memdb') return { open: async () => createMemoryStore(), memory: true }
  if (backend !== 'goleveldb' && backend !== 'cleveldb') {
    throw new CliError(
      CLI_ERRORS.notBuilt,
      `db_backend = "${backend}" is not built in this version of halley: use "goleveldb", or "memdb" to keep nothing`,
    )
  }
  return {
    open: (name) =>
      openLevelStore(join(directory, `${name}.db`), name === 'tx_index' ? { writeBufferSize: INDEX_WRITE_BUFFER } : {}),
    memory: false,
  }
}
