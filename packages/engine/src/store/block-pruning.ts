import type { BlockMeta, State } from '@org/types'
import * as keys from './block-keys.ts'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { del, type Op } from './kv/index.ts'

export interface PruneResult {
  /** The number of blocks that were removed. */
  readonly pruned: number
  /**
   * Evidence of misbehaviour at a height below this one has expired. So blocks below this height are not needed to
   * verify evidence.
   */
  readonly evidenceRetainHeight: number
}

export interface PruneRequest {
  readonly retainHeight: number
  readonly base: number
  readonly height: number
  readonly state: Pick<State, 'lastBlockHeight' | 'lastBlockTime' | 'consensusParams'>
}

export interface PruneBatch {
  readonly ops: readonly Op[]
  /** The lowest height in the block store after `ops` are written. */
  readonly base: number
  readonly heights: readonly number[]
  readonly evidenceRetainHeight: number
}

/** The maximum number of heights in one batch. */
const BATCH = 1000

/** Returns true if evidence of misbehaviour at the height of `meta` has expired. */
function isEvidenceExpired(
  { lastBlockHeight, lastBlockTime, consensusParams }: PruneRequest['state'],
  meta: BlockMeta,
) {
  const { maxAgeDuration, maxAgeNumBlocks } = consensusParams.evidence
  const age = lastBlockTime - meta.header.time
  return age > maxAgeDuration && BigInt(lastBlockHeight - meta.header.height) > maxAgeNumBlocks
}

/**
 * Yields the batches that remove every block below `retainHeight`, the lowest heights first. Throws `STORE_INVALID` if
 * `retainHeight` is not in the range of the store.
 */
export function* planPrune(
  { retainHeight, base, height, state }: PruneRequest,
  loadMeta: (height: number) => BlockMeta | undefined,
): Generator<PruneBatch> {
  const refuse = (problem: string): never => {
    throw new StoreError(STORE_ERRORS.invalid, problem, { data: { retainHeight, base, height } })
  }
  if (retainHeight <= 0) refuse('height must be greater than 0')
  if (retainHeight > height) refuse(`cannot prune beyond the latest height ${height}`)
  if (retainHeight < base) refuse(`cannot prune to height ${retainHeight}, it is lower than base height ${base}`)

  let evidenceRetainHeight = retainHeight
  let ops: Op[] = []
  let heights: number[] = []
  for (let at = base; at < retainHeight; at++) {
    const meta = loadMeta(at)
    if (meta === undefined) continue
    if (evidenceRetainHeight === retainHeight && !isEvidenceExpired(state, meta)) evidenceRetainHeight = at

    ops.push(del(keys.hashKey(meta.blockId.hash)), del(keys.seenCommitKey(at)))
    // The node needs the header and the commits of this height to verify evidence of misbehaviour at this height. So
    // the header and the commits stay until such evidence has expired.
    if (at < evidenceRetainHeight) {
      ops.push(del(keys.metaKey(at)), del(keys.commitKey(at)), del(keys.extendedCommitKey(at)))
    }
    const { total } = meta.blockId.partSetHeader
    for (let index = 0; index < total; index++) ops.push(del(keys.partKey(at, index)))
    heights.push(at)
    if (heights.length === BATCH) {
      yield { ops, base: at + 1, heights, evidenceRetainHeight }
      ops = []
      heights = []
    }
  }
  yield { ops, base: retainHeight, heights, evidenceRetainHeight }
}
