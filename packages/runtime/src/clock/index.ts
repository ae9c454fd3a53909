export { type Clock, sleepOn, type Timer } from './clock.ts'
export { repeat } from './repeat.ts'
export { createSystemClock } from './system-clock.ts'
export { createVirtualClock, type VirtualClock } from './virtual-clock.ts'
