import { createSlices, type SliceModules } from '../call/json-slices.ts'
import type { Sender } from '../http/index.ts'

/** Makes connections with waiting events write them, all events of a connection together. */
export interface EventFlush {
  /** Registers `sender`, which is flushed soon. */
  readonly add: (sender: Sender) => void
}

/**
 * Lets connections write their waiting events in slices, which take turns with calls: a block with a thousand
 * subscribers needs a thousand writes. Events that arrive meanwhile join the events that already wait.
 */
export function createEventFlush(modules: SliceModules): EventFlush {
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
      // This microtask runs after all events that are published together, such as the events of a block, and before the
      // code that continues with the next block.
      queueMicrotask(() => void run())
    },
  }
}
