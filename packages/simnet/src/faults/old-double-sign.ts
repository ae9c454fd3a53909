import { doubleSignAt, type SimNode } from '../node/index.ts'
import type { FaultTarget } from './target.ts'

const POLL_MS = 50

interface OldDoubleSign {
  /** The validator whose key signs both votes. */
  readonly validator: SimNode
  readonly joiner: SimNode
  /** The height of the snapshot with which `joiner` began, minus the height of the double sign. */
  readonly below: number
  /** True if the evidence may be sent before `joiner` has the header of the double sign's height. */
  readonly early: boolean
}

/**
 * Gives a running node evidence of a double sign at a height below the snapshot with which the node `joiner` began.
 * This running node is not a joiner, because joiners do not have the block of this height. The node sends the evidence
 * to `joiner` by gossip. To verify the evidence, `joiner` needs the header of this height. Unless `early` is set, the
 * function waits until `joiner` has this header.
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
