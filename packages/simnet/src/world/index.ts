export { createDice, type Dice } from './dice.ts'
export { type ClockFault, createLife, type Life, type LifeOptions } from './life.ts'
export { createScheduler, type Scheduler } from './scheduler.ts'
export { createTrace, type Trace } from './trace.ts'
