import { runLater } from './run-later.ts'

/**
 * Replaces `nextTick` of `node:process`. In Node it runs after all promises that can settle; a task of its own does so in a
 * browser.
 */
export const nextTick = runLater
