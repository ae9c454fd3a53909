import { join } from 'node:path'
import { noopLogger } from '@org/runtime'
import { createKvStore, type KvStore } from './kvstore.ts'
import type { KvStoreOptions } from './options.ts'
import { openFolderArchive } from './snapshots/index.ts'
import { createMemoryStorage, openLevelStorage } from './store/index.ts'

/** The place of the state of the key-value store, and its other settings. */
export interface OpenOptions extends Omit<KvStoreOptions, 'store' | 'archive'> {
  /**
   * The folder in which `kvstore.db` and `kvstore-snapshots` are made. For a node it is the folder `data` in the
   * node's home.
   */
  readonly dir: string
  /**
   * Whether the state is in the database or in memory. With `memory`, the folder `dir` contains only the snapshots.
   * Default: `database`.
   */
  readonly state?: 'database' | 'memory'
}

/**
 * Opens the state in the reference's database layout, or makes an empty state in memory. In both cases the snapshots
 * are on the disk. Rejects with a {@link KvStoreError}.
 */
export async function openKvStore(options: OpenOptions): Promise<KvStore> {
  const { dir, state = 'database', ...rest } = options
  const store = state === 'memory' ? createMemoryStorage() : await openLevelStorage(join(dir, 'kvstore.db'))
  try {
    const archive = await openFolderArchive(join(dir, 'kvstore-snapshots'), rest.logger ?? noopLogger)
    return createKvStore({ ...rest, store, archive })
  } catch (error) {
    await store.close()
    throw error
  }
}
