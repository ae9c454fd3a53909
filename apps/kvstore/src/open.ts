import { join } from 'node:path'
import { createKvStore, type KvStore } from './kvstore.ts'
import type { KvStoreOptions } from './options.ts'
import { openLevelStorage } from './store/index.ts'

export interface OpenOptions extends Omit<KvStoreOptions, 'store'> {
  /** The folder of the database; `kvstore.db` is made in it. In a node's home: `data`. */
  readonly dir: string
}

/** Opens the state in the reference's database layout. Rejects with a {@link KvStoreError}. */
export async function openKvStore(options: OpenOptions): Promise<KvStore> {
  const { dir, ...rest } = options
  const store = await openLevelStorage(join(dir, 'kvstore.db'))
  try {
    return createKvStore({ ...rest, store })
  } catch (error) {
    await store.close()
    throw error
  }
}
