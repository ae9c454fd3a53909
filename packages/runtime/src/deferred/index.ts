export { createDeferred, type Deferred } from './deferred.ts'
export { loadOnce } from './load-once.ts'
