import type { Op } from '@org/engine/storage'
import type { SavedFiles } from '../disk/index.ts'
import type { SimNode } from '../node/index.ts'

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
