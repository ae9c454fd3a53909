import type { BlockStore, StateStore } from '@org/engine/store'
import type { BlockReader, GenesisReader, StateReader } from '@org/rpc'

export function createBlockReader(store: BlockStore): BlockReader {
  return store
}

export function createStateReader(store: StateStore): StateReader {
  return store
}

/** `text` is the document as it is stored. */
export function createGenesisReader(text: string): GenesisReader {
  return { text: () => text }
}
