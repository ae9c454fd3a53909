import {
  createBlockStore,
  createMemoryStore,
  createStateStore,
  type KeyValueStore,
  type Op,
  put,
} from '@org/engine/storage'
import { parseGenesis } from '@org/types'
import { diskOfNewKey } from '../../chain/snapshot.ts'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'
import type { DevnetOrigin } from '../origin.ts'
import { replaceValidators } from './replaced-state.ts'

/** The content of the home directory of a stopped node. */
export interface StoppedHome {
  /** The entries of each database: `blockstore` and `state`, and `tx_index` if there is one. */
  readonly databases: ReadonlyMap<string, readonly Op[]>
  /** The text of the file `genesis.json`. It is used only if the state database contains no genesis document. */
  readonly genesisText: string
}

async function fill(ops: readonly Op[] = []): Promise<KeyValueStore> {
  const store = createMemoryStore()
  await store.write(ops)
  return store
}

async function entriesOf(store: KeyValueStore): Promise<readonly Op[]> {
  const ops: Op[] = []
  for await (const [key, value] of store.iterate()) ops.push(put(key, value))
  return ops
}

/**
 * Returns the chain in the home directory of a stopped node as the origin of a devnet. Keys of this process replace the
 * keys of the strongest validators. If the state does not include the last block yet, this block is left out. Rejects
 * with `DEVNET_FORK_EMPTY` or `DEVNET_FORK_VALIDATORS`.
 */
export async function forkOrigin({ databases, genesisText }: StoppedHome, validators: number): Promise<DevnetOrigin> {
  const [blocks, states] = await Promise.all([fill(databases.get('blockstore')), fill(databases.get('state'))])
  const [blockStore, stateStore] = [createBlockStore({}, { db: blocks }), createStateStore({}, { db: states })]
  const present = stateStore.load()
  if (present === undefined || present.lastBlockHeight === 0 || blockStore.height() < present.lastBlockHeight) {
    const message = 'the home has no block that its state includes: fork a home with a chain, or start a new devnet'
    throw new DevnetError(DEVNET_ERRORS.forkEmpty, message)
  }
  while (blockStore.height() > present.lastBlockHeight) await blockStore.deleteLatestBlock()
  const { state, replacements } = replaceValidators(present, validators)
  await stateStore.bootstrap(state)
  const stored = stateStore.loadGenesisDoc()
  const text = stored === undefined || stored.length === 0 ? genesisText : new TextDecoder().decode(stored)
  const stores = new Map(databases)
  stores.set('blockstore', await entriesOf(blocks))
  stores.set('state', await entriesOf(states))
  const node = diskOfNewKey({ stores, skewMs: 0 })
  return {
    genesis: parseGenesis(text),
    keys: replacements.map(({ key }) => key),
    nodes: replacements.map(() => node),
    blocks: { base: blockStore.base(), height: state.lastBlockHeight, lastTime: state.lastBlockTime },
    replacements,
  }
}
