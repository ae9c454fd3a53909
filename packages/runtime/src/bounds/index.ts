export { dropOldest } from './drop-oldest.ts'
export { createSemaphore, type Semaphore } from './semaphore.ts'
