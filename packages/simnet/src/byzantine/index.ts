export { BEHAVIOURS, type Behaviour, EXTRA_MESSAGES, FLOODS, FORGERIES, SNAPSHOT_LIES } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
