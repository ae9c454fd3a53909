export { type BoundedQueue, createBoundedQueue, QUEUE_ERRORS, QueueError } from './bounded-queue.ts'
