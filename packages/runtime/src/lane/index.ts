export { createLane, type Lane } from './lane.ts'
