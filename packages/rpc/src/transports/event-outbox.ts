import type { Sender } from '../http/index.ts'
import { createSlices, type SliceModules } from '../routes/slices.ts'

/** Has those who were given events write them, each once for all that it was given. */
export interface EventOutbox {
  /** Has `sender` flushed soon. */
  readonly add: (sender: Sender) => void
}

/**
 * A block with a thousand subscribers is a thousand writes: they leave in slices that take turns with calls, and what happens
 * meanwhile joins what waits.
 */
export function createEventOutbox(modules: SliceModules): EventOutbox {
  let waiting: Sender[] = []
  let isAtWork = false

  async function run(): Promise<void> {
    const slices = createSlices(modules)
    while (waiting.length > 0) {
      const senders = waiting
      waiting = []
      for (const sender of senders) {
        sender.flush()
        if (slices.isDue()) await slices.rest()
      }
    }
    isAtWork = false
  }

  return {
    add: (sender) => {
      waiting.push(sender)
      if (isAtWork) return
      isAtWork = true
      // Behind all that is published at once, as a block's events are; before what goes on with the next block.
      queueMicrotask(() => void run())
    },
  }
}
