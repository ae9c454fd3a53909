import type { SimNode } from '../node/index.ts'
import { backfillFault } from './backfilled.ts'
import type { Rules } from './create-rules.ts'

/** Checks the stored blocks and the index of a node that runs at the end of a simulation. */
export async function checkAtEnd(
  node: SimNode,
  { index, retained, watch, backfilled }: Pick<Rules, 'index' | 'retained' | 'watch' | 'backfilled'>,
  violate: (rule: string, detail: string) => void,
): Promise<void> {
  const engine = node.engine()
  if (engine === undefined || node.status() !== 'running') return
  const prunes = node.options.pruneIndexEvery > 0
  const first = prunes || node.isJoiner ? Math.max(1, engine.blockStore.base()) : 1
  for (let height = first; height <= watch.published(node.name); height++) {
    await index.checkIndex(node.name, engine, height)
  }
  if (prunes) await index.checkPruned(node, engine)
  // A node that began with a snapshot has no earlier blocks.
  const kept = node.isJoiner ? undefined : retained.fault(node.name, engine.blockStore.base())
  if (kept !== undefined) violate('stored', `${node.name} ${kept}`)
  const old = backfillFault(engine, backfilled)
  if (old !== undefined) violate('stored', `${node.name}: ${old}`)
  watch.checkStored(node, 1)
}
