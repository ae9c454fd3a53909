export { createRestorer, type Restorer } from './restorer.ts'
export { createSnapshots, type SnapshotOptions, type Snapshots } from './taker.ts'
