import { createSlices, type SliceModules } from '../call/json-slices.ts'
import type { Sender } from '../http/index.ts'

/** Collects the connections that have events to write. Each connection then writes all its waiting events together. */
export interface EventFlush {
  /** Registers a connection that has events to write. Its `flush` is called soon. */
  readonly add: (sender: Sender) => void
}

/**
 * Lets connections write their waiting events. A block with a thousand subscribers needs a thousand writes, so the
 * writes are done in slices, and calls run between the slices. Events that arrive meanwhile join the events that
 * already wait.
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
        if (slices.isDue()) await slices.pause()
      }
    }
    isAtWork = false
  }

  return {
    add: (sender) => {
      waiting.push(sender)
      if (isAtWork) return
      isAtWork = true
      // All events that are published together, such as the events of a block, are published before this microtask
      // runs. The microtask runs before the code that continues with the next block.
      queueMicrotask(() => void run())
    },
  }
}
