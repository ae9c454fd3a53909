import { runLater } from './run-later.ts'

/**
 * Replaces `nextTick` of `node:process`. In Node, the callback runs when no promise can settle any more. In a browser,
 * a separate task does the same.
 */
export const nextTick = runLater
