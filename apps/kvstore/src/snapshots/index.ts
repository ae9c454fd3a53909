export { createSnapshotRestorer, type SnapshotRestorer } from './restorer.ts'
export { createSnapshotTaker, type SnapshotOptions, type SnapshotTaker } from './taker.ts'
