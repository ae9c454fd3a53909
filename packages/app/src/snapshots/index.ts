export { createRestorer } from './restorer.ts'
export { createSnapshots, type SnapshotOptions, type Snapshots } from './taker.ts'
