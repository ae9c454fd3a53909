import { runLater } from './run-later.ts'

/**
 * Replaces `nextTick` of `node:process`. In a browser, the callback runs in a separate task, after all promise
 * callbacks that wait. Node runs the callbacks in the same order if `nextTick` is called in a promise callback.
 */
export const nextTick = runLater
