import { INITIAL_SIGN_STATE, signStateText } from '@org/engine/privval'
import type { Op } from '@org/engine/storage'
import { utf8ToBytes } from '@org/types/bytes'
import type { SavedFiles } from '../disk/index.ts'
import { SIGN_STATE, type SimNode } from '../node/index.ts'

/** The data on a node's disk. */
export interface SavedNode {
  readonly stores: ReadonlyMap<string, readonly Op[]>
  readonly files: SavedFiles
  readonly skewMs: number
}

export async function saveNode({ stores, files, clockFault }: SimNode): Promise<SavedNode> {
  const saved = new Map<string, readonly Op[]>()
  for (const [name, store] of stores) saved.set(name, await store.save())
  return { stores: saved, files: files.save(), skewMs: clockFault.skewMs }
}

/** Restores the disk of a node that is down. */
export async function restoreNode(node: SimNode, saved: SavedNode): Promise<void> {
  const { stores, storeOf, files, clockFault } = node
  for (const name of new Set([...stores.keys(), ...saved.stores.keys()]))
    await storeOf(name).restore(saved.stores.get(name) ?? [])
  files.restore(saved.files)
  clockFault.skewMs = saved.skewMs
}

/**
 * Returns the disk of a validator whose key has signed nothing yet. It has the blocks and the state in `stores`, and no
 * write-ahead log.
 */
export function diskOfNewKey({ stores, skewMs }: Pick<SavedNode, 'stores' | 'skewMs'>): SavedNode {
  return { stores, skewMs, files: new Map([[SIGN_STATE, utf8ToBytes(signStateText(INITIAL_SIGN_STATE))]]) }
}
