import { doubleSignAt, type SimNode } from '../node/index.ts'
import type { FaultTarget } from './target.ts'

const POLL_MS = 50

interface OldDoubleSign {
  /** The validator whose key signs both votes. */
  readonly validator: SimNode
  readonly joiner: SimNode
  /** The number of heights between the height of the votes and the snapshot with which `joiner` began. */
  readonly below: number
  /** Whether the evidence is sent before `joiner` has the header of the height of the votes. */
  readonly early: boolean
}

/**
 * Sends evidence of a double sign at a height below the snapshot with which the node `joiner` began. The receiver is a
 * running node that is not a joiner, because joiners do not have the block of this height. Unless `early` is set, waits
 * until `joiner` has the header of this height.
 */
export function reportOldDoubleSign(
  { validator, joiner, below, early }: OldDoubleSign,
  { nodes, scheduler, trace }: Pick<FaultTarget, 'nodes' | 'scheduler' | 'trace'>,
): void {
  const attempt = (): void => {
    const range = joiner.engine()?.blockStore.backfilled()
    const height = (range?.snapshot ?? 0) - below
    const to = nodes.find((node) => !node.isJoiner && node !== validator && node.status() === 'running')?.engine()
    const isReady = range !== undefined && joiner.status() === 'running' && (early || range.lowest <= height)
    if (!isReady || to === undefined) return void scheduler.after(POLL_MS, attempt)
    const evidence = doubleSignAt(to, { key: validator.options.key, height })
    if (evidence === undefined) return
    trace.note('evidence', height)
    void to.evidencePool.addEvidence(evidence)
  }
  attempt()
}
