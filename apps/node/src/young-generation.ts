import { setFlagsFromString } from 'node:v8'
import type { Clock } from '@org/runtime'

/** What V8 multiplies the young generation's size by when much of it is still in use after a collection; 1 keeps it. */
const FLAG = '--semi-space-growth-factor'
const GROWS = 2
const STAYS = 1

const LOOK_EVERY_MS = 250
/** Transactions between two looks from which on there is load: 100 a second. */
const LOAD = 25
/** Looks without load after which it is over: 5 s. */
const QUIET_LOOKS = 20

/** The size of V8's young generation in this process, for all nodes in it. */
export interface YoungGeneration {
  /** A transaction came in. */
  readonly onTransaction: () => void
}

export interface YoungGenerationModules {
  readonly clock: Pick<Clock, 'after'>
  /** Default: V8's. */
  readonly setFlag?: (flag: string) => void
}

/** Keeps V8's young generation at the size that it has. For the process, before it does anything else. */
export function keepYoungGeneration(setFlag: (flag: string) => void = setFlagsFromString): void {
  setFlag(`${FLAG}=${STAYS}`)
}

/**
 * Lets the young generation, which was kept small, follow the load. A small one is collected often, and what transactions need outlives a collection of
 * it: under load that costs a fifth of the time. A large one is filled by empty blocks, too, and costs memory for nothing. V8 reads
 * the factor of its growth each time, so it is let grow, up to the launcher's `--max-semi-space-size`, only while transactions
 * come; V8 itself makes it small again when it collects it and little was allocated (under 1 MB a second). Given to V8 as an option of
 * the command, the factor could not be 1.
 * A runtime that does not know the flag takes no notice.
 */
export function createYoungGeneration({
  clock,
  setFlag = setFlagsFromString,
}: YoungGenerationModules): YoungGeneration {
  let count = 0
  let isLooking = false
  let grows = false
  let quietLooks = 0

  function set(wanted: boolean): void {
    if (grows === wanted) return
    grows = wanted
    setFlag(`${FLAG}=${wanted ? GROWS : STAYS}`)
  }

  function look(): void {
    quietLooks = count >= LOAD ? 0 : quietLooks + 1
    if (quietLooks >= QUIET_LOOKS) set(false)
    isLooking = grows || count > 0
    count = 0
    if (isLooking) clock.after(LOOK_EVERY_MS, look)
  }

  return {
    onTransaction: () => {
      count++
      if (count === LOAD) {
        quietLooks = 0
        set(true)
      }
      if (isLooking) return
      isLooking = true
      clock.after(LOOK_EVERY_MS, look)
    },
  }
}
