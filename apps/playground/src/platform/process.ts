import { runLater } from './run-later.ts'

/**
 * Replaces `nextTick` of `node:process`. In a browser, the callback runs in a separate task, after all promise
 * callbacks that wait. In Node.js, the callback runs after these promise callbacks only if `nextTick` is called in a
 * promise callback. If not, the callback runs before them.
 */
export const nextTick = runLater
