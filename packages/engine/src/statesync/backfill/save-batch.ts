import { createStepRunner } from '../../execution/index.ts'
import type { BackfilledRange, BlockStore, StateStore } from '../../store/index.ts'
import { blockAbove, type CheckedBlock } from './check-block.ts'
import type { BatchStart } from './fetch-batch.ts'
import { BACKFILL_STEPS, type BackfillStep } from './steps.ts'

/** The stores of old headers and of their validators. */
export interface OldStores {
  readonly blockStore: Pick<BlockStore, 'loadBlockMeta' | 'loadSeenCommit' | 'saveOldHeaders'>
  readonly stateStore: Pick<StateStore, 'loadSigners' | 'saveOldValidators'>
}

/**
 * Returns the data by which the first missing header is fetched and verified. The member `above` has the height, the
 * block id and, if needed, the hash of the commit. The member `validators` is the probable validator set. Returns
 * `undefined` if these data are not stored.
 */
export function nextBatchStart(
  { snapshot, lowest }: BackfilledRange,
  { blockStore, stateStore }: OldStores,
): Omit<BatchStart, 'initialHeight'> | undefined {
  const validators = stateStore.loadSigners(Math.min(lowest, snapshot))
  if (lowest <= snapshot) {
    const header = blockStore.loadBlockMeta(lowest)?.header
    return header && { above: blockAbove(header), validators }
  }
  // The block after the snapshot contains the commit for the snapshot's height. The node fetches that block later, so
  // the backfill neither verifies nor stores this commit.
  const lastBlockId = blockStore.loadSeenCommit(snapshot)?.blockId
  return lastBlockId && { above: { below: snapshot, lastBlockId, lastCommitHash: undefined }, validators }
}

const inSteps = createStepRunner<BackfillStep>(BACKFILL_STEPS)

/**
 * Stores a batch. The validator set of the snapshot's height is not stored again, because state sync has stored it with
 * verified proposer priorities.
 */
export async function saveBatch(
  blocks: readonly CheckedBlock[],
  { snapshot }: BackfilledRange,
  { blockStore, stateStore }: OldStores,
): Promise<void> {
  const sets = blocks.map(({ header: { height }, validators }) => ({ height, validators }))
  const run = inSteps({
    earlier: [],
    actions: {
      'save-old-validators': () => stateStore.saveOldValidators(sets.filter(({ height }) => height !== snapshot)),
      'save-old-headers': () => blockStore.saveOldHeaders(blocks),
    },
  })
  await run.when('save-old-headers')
}
