export { type CommitParts, keyFinder, makeCommit, NO_COMMIT, signVote } from './commits.ts'
export { collectGarbage, countLiveObjects, type WatchedObjects, watchObjects } from './live-objects.ts'
export { runOn } from './run-on.ts'
export {
  type BlockParts,
  type ChainShape,
  HOUR,
  makeBlock,
  makeChain,
  makeKeys,
  makeSecpKeys,
  makeValidators,
  SECOND,
  type SignedBlock,
  type SignOptions,
  START,
  timeAt,
} from './signed-blocks.ts'
