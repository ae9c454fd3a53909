import { type Clock, createSemaphore } from '@org/runtime'
import type { Pace } from '../call/call-pace.ts'
import { createSlices } from '../call/json-slices.ts'
import type { PriorityWork } from '../ports/index.ts'

/**
 * The length of the pause after each slice of a catch-up while a block is made, as a multiple of the slice's length. No
 * catch-up works in the pause. With 5, catch-ups use at most one sixth of the event loop's time.
 */
const PAUSE_PER_WORK = 5

/**
 * The maximum number of catch-ups that are in the middle of a block, and so have all events of this block in memory.
 */
const MAX_BLOCKS = 4
/**
 * The maximum number of catch-ups that keep the events of a block in memory while they wait for their clients. Further
 * catch-ups read the events again.
 */
const MAX_KEPT_BLOCKS = 8

/** Lets one catch-up work in short slices, between which other catch-ups and calls run. */
export interface CatchUpTurn {
  /**
   * Begins a slice, which is a short time in which this catch-up works. Before the slice begins, no other catch-up may
   * work, the pause after the previous slice must be over, and the RPC calls that already waited must have run.
   * Resolves when the slice has begun.
   */
  readonly begin: () => Promise<void>
  /** Returns true if the slice has lasted long enough, so that the caller should call `pause`. */
  readonly isDue: () => boolean
  /**
   * Ends the present slice of this catch-up. The catch-up that has waited longest works next. Resolves when the next
   * slice of this catch-up has begun.
   */
  readonly nextSlice: () => Promise<void>
  /**
   * Ends the slice of the caller, so that another catch-up can work. Called when the caller has finished its catch-up,
   * or has to wait for its client. Before the caller works again, it calls `begin`.
   */
  readonly end: () => void
  /**
   * Must be called in a slice of the caller, before the caller reads the events of a block. Resolves when the caller
   * may read the events: when few enough other catch-ups are in the middle of a block.
   */
  readonly enterBlock: () => Promise<void>
  /** Must be called when the caller has finished a block, or has failed. */
  readonly leaveBlock: () => void
  /**
   * Ends the slice of a caller that is in the middle of a block and has to wait for its client. Returns true if the
   * caller may keep the events of the block in memory. Before the caller works again, it calls `continueBlock`.
   */
  readonly pauseBlock: () => boolean
  readonly continueBlock: () => Promise<void>
}

/**
 * Divides the event loop's time between the catch-ups of a server and all other work. Only one catch-up works at a
 * time, for one slice. Each slice waits until the calls that came before it have run. While a block is made, a pause
 * follows each slice.
 */
export interface CatchUpTurns {
  /** When `signal` aborts, all promises of the turn that wait for other catch-ups reject with its reason. */
  readonly open: (signal?: AbortSignal) => CatchUpTurn
}

export interface CatchUpTurnsModules {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly pace: Pick<Pace, 'pause'>
  /**
   * The work that has precedence over catch-ups. While this work is in progress, a pause follows each slice of a
   * catch-up. If the value is `undefined`, there are no pauses.
   */
  readonly precedence: Pick<PriorityWork, 'isBusy'> | undefined
}

export function createCatchUpTurns({ clock, pace, precedence }: CatchUpTurnsModules): CatchUpTurns {
  const semaphore = createSemaphore(1)
  const blocks = createSemaphore(MAX_BLOCKS)
  let keptBlocks = 0
  /** The time on the monotonic clock at which the pause after the previous slice of a catch-up ends. */
  let pauseEnd = 0

  async function pause(): Promise<void> {
    const remainingMs = pauseEnd - clock.monotonic()
    if (remainingMs > 0 && precedence?.isBusy() === true)
      await new Promise<void>((resolve) => clock.after(remainingMs, resolve))
  }

  return {
    open: (signal) => {
      const slices = createSlices({ clock, pace })
      let hasPlace = false
      let hasBlock = false
      let isKept = false
      /** The time at which this catch-up began its slice of work; `undefined` while it does not work. */
      let since: number | undefined
      const begin = async (): Promise<void> => {
        await semaphore.acquire(signal)
        hasPlace = true
        signal?.throwIfAborted()
        await pause()
        await slices.pause()
        since = clock.monotonic()
      }
      const end = (): void => {
        if (!hasPlace) return
        hasPlace = false
        if (since !== undefined) {
          const now = clock.monotonic()
          pauseEnd = now + (now - since) * PAUSE_PER_WORK
          since = undefined
        }
        semaphore.release()
      }
      const enterBlock = async (): Promise<void> => {
        const mustWait = blocks.isFull()
        if (mustWait) end()
        await blocks.acquire(signal)
        hasBlock = true
        if (mustWait) await begin()
      }
      const leaveBlock = (): void => {
        if (hasBlock) blocks.release()
        if (isKept) keptBlocks--
        hasBlock = false
        isKept = false
      }
      const pauseBlock = (): boolean => {
        end()
        leaveBlock()
        isKept = keptBlocks < MAX_KEPT_BLOCKS
        if (isKept) keptBlocks++
        return isKept
      }
      const continueBlock = async (): Promise<void> => {
        await begin()
        await enterBlock()
        if (isKept) keptBlocks--
        isKept = false
      }
      return {
        begin,
        end,
        enterBlock,
        leaveBlock,
        pauseBlock,
        continueBlock,
        isDue: slices.isDue,
        nextSlice: () => {
          end()
          return begin()
        },
      }
    },
  }
}
