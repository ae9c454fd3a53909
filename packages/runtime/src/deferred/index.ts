export { createDeferred, type Deferred } from './deferred.ts'
