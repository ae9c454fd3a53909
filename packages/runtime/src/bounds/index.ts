export { dropOldest } from './drop-oldest.ts'
export { oldestOfLargestGroup } from './oldest-of-largest-group.ts'
export { createSemaphore, type Semaphore } from './semaphore.ts'
