export { EventDataRoundState } from './round-state.ts'
