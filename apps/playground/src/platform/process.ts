import { runLater } from './run-later.ts'

/**
 * Replaces `nextTick` of `node:process`. In a browser, the callback runs in a separate task, after all promise
 * callbacks that wait. In Node, the order is the same if a promise callback calls `nextTick`.
 */
export const nextTick = runLater
