import { join } from 'node:path'
import type { BlockStore, KeyValueStore, StateStore } from '@org/engine/storage'
import { createCleanups } from '@org/runtime'
import { HOME_ERRORS, HomeError } from './errors.ts'
import { exists } from './files.ts'
import { lockHome } from './lock/index.ts'
import type { OpenedHome } from './open-home.ts'

/** The databases of a stopped node. */
export interface OpenedStores {
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  /** Opens another database of the home, such as `tx_index`. */
  readonly open: (name: string) => Promise<KeyValueStore>
  readonly close: () => Promise<void>
}

/** Opens the databases of a stopped node. Throws if a process uses the home, or if the home has no chain. */
export async function openStores({ config, paths }: Pick<OpenedHome, 'config' | 'paths'>): Promise<OpenedStores> {
  const directory = paths.databases
  for (const [name, label] of [
    ['blockstore', 'blockstore'],
    ['state', 'statestore'],
  ] as const) {
    const file = join(directory, `${name}.db`)
    if (!exists(file)) {
      throw new HomeError(HOME_ERRORS.noStore, `no ${label} found in ${directory}`, { data: { file } })
    }
  }
  const lock = await lockHome(directory)
  const cleanups = createCleanups()
  cleanups.add(lock.release)
  try {
    const { createBlockStore, createStateStore, openLevelStore } = await import('@org/engine/storage')
    const openStore = async (name: string): Promise<KeyValueStore> => {
      const store = await openLevelStore(join(directory, `${name}.db`))
      cleanups.add(store.close)
      return store
    }
    const { discardAbciResponses } = config.storage
    return {
      blockStore: createBlockStore({}, { db: await openStore('blockstore') }),
      stateStore: createStateStore({ discardAbciResponses }, { db: await openStore('state') }),
      open: openStore,
      close: cleanups.run,
    }
  } catch (error) {
    await cleanups.run().catch(() => undefined)
    throw error
  }
}
