export { BEHAVIOURS, type Behaviour, FORGERIES, SNAPSHOT_LIES } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
