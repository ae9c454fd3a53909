import type { Clock } from '@org/runtime'
import type { Wal } from '../wal/index.ts'
import type { Inbox, Item } from './inbox.ts'

interface LoopModules {
  readonly inbox: Pick<Inbox, 'next' | 'whenNotEmpty'>
  readonly processItem: (item: Item) => Promise<void>
  readonly wal: () => Pick<Wal, 'flush'>
  /** Called each time when no input waits for the machine. */
  readonly onRest: () => void
  readonly clock: Pick<Clock, 'monotonic'>
  /** Gives the other tasks of the process a turn. */
  readonly nextTurn: () => Promise<void>
  /** The longest time for which the loop runs before it calls `nextTurn`, in milliseconds. */
  readonly sliceMs: number
}

/** The loop that takes one item of the inbox after the other. */
export interface InputLoop {
  /** Runs until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Returns true while the loop waits for the next input. */
  readonly isResting: () => boolean
}

export function createInputLoop(modules: LoopModules): InputLoop {
  const { inbox, processItem, wal, onRest, clock, nextTurn, sliceMs } = modules
  let isResting = false
  return {
    run: async (signal) => {
      let sliceEnd = clock.monotonic() + sliceMs
      while (!signal.aborted) {
        const item = inbox.next()
        if (item === undefined) {
          wal().flush()
          isResting = true
          onRest()
          await inbox.whenNotEmpty()
          isResting = false
          continue
        }
        await processItem(item)
        if (clock.monotonic() < sliceEnd) continue
        // Other tasks of the process run while a step waits for the disk. But perhaps no step has waited, so the loop
        // gives these tasks a turn now.
        await nextTurn()
        sliceEnd = clock.monotonic() + sliceMs
      }
    },
    isResting: () => isResting,
  }
}
