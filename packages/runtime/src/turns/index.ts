export { oncePerTurn } from './once-per-turn.ts'
export { createTurns, nextTurn, type Turns } from './turns.ts'
