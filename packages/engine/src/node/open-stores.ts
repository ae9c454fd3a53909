import { createCleanups } from '@org/runtime'
import type { Indexer } from '../indexer/index.ts'
import {
  type BlockStore,
  createBlockStore,
  createStateStore,
  DB_NAMES,
  type KeyValueStore,
  type StateStore,
} from '../store/index.ts'
import { checkKeyLayout } from './home-format.ts'
import { openIndex } from './open-index.ts'
import type { EngineOptions } from './options.ts'

/** The databases of a node, opened. */
export interface Stores {
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly evidence: KeyValueStore
  readonly index: Indexer
  /** Closes the databases, in the reverse order of opening. */
  readonly close: () => Promise<void>
}

/**
 * Opens every database of a node. The block store is opened first, as in the reference. If one cannot be opened, closes
 * those that are open.
 */
export async function openStores(
  { storage, index }: Pick<EngineOptions, 'storage' | 'index'>,
  { openDatabase }: { readonly openDatabase: (name: string) => Promise<KeyValueStore> },
): Promise<Stores> {
  const cleanups = createCleanups()
  const openOne = async (name: string): Promise<KeyValueStore> => {
    const store = await openDatabase(name)
    cleanups.add(store.close)
    return store
  }
  try {
    const blocks = await openOne(DB_NAMES.blocks)
    const state = await openOne(DB_NAMES.state)
    for (const [name, db] of [
      [DB_NAMES.blocks, blocks],
      [DB_NAMES.state, state],
    ] as const)
      checkKeyLayout(name, db)
    const evidence = await openOne(DB_NAMES.evidence)
    return {
      blockStore: createBlockStore({}, { db: blocks }),
      stateStore: createStateStore(storage, { db: state }),
      evidence,
      index: openIndex(index.enabled ? await openOne(DB_NAMES.txIndex) : undefined, index),
      close: cleanups.run,
    }
  } catch (error) {
    await cleanups.run().catch(() => undefined)
    throw error
  }
}
