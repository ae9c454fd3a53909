export { createTurns, nextTurn, type Turns } from './turns.ts'
