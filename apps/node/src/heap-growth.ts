import { setFlagsFromString } from 'node:v8'
import type { Clock } from '@org/runtime'

/** The factor by which V8 grows the young generation when much of it survives a collection; 1 keeps its size. */
const YOUNG = '--semi-space-growth-factor'
/** How much the old generation may grow after a collection before the next one, in percent; 0 is V8's own choice, about 40. */
const OLD = '--heap-growing-percent'

const SMALL = [`${YOUNG}=1`, `${OLD}=0`] as const
const GROWING = [`${YOUNG}=2`, `${OLD}=200`] as const

const LOOK_EVERY_MS = 250
/** Transactions between two looks from which on there is load: 100 a second. */
const LOAD = 25
/** The bytes of a block from or to a peer that use the heap as much as one transaction. */
const BLOCK_BYTES = 1000
/** Looks without load after which it is over: 5 s. */
const QUIET_LOOKS = 20

/** How V8's heap grows in this process, for all nodes in it. */
export interface HeapGrowth {
  /** A transaction came in. */
  readonly onTransaction: () => void
  /** A block of so many bytes came from a peer and is applied, or goes to one that catches up. */
  readonly onBlock: (bytes: number) => void
}

export interface HeapGrowthModules {
  readonly clock: Pick<Clock, 'after'>
  /** Default: V8's. */
  readonly setFlag?: (flag: string) => void
}

/** Keeps V8's heap as small as it is. For the process, before it does anything else. */
export function keepHeapSmall(setFlag: (flag: string) => void = setFlagsFromString): void {
  for (const flag of SMALL) setFlag(flag)
}

/**
 * Lets the heap, which was kept small, follow the load. A small young generation is collected often, and what a transaction needs
 * lives from its arrival to its block: it is copied by each of those collections, and ends in the old generation, which is collected
 * many times a second then. A large one is filled by empty blocks, too, and costs memory for nothing. V8 reads these flags each time, so
 * it is let grow, the young generation up to the launcher's `--max-semi-space-size`, only while transactions come, or blocks from peers or to them; V8 itself makes
 * that small again when it collects it and little was allocated (under 1 MB a second). Given as an option of the command, the factor
 * could not be 1. A runtime that does not know the flags takes no notice.
 */
export function createHeapGrowth({ clock, setFlag = setFlagsFromString }: HeapGrowthModules): HeapGrowth {
  let count = 0
  let isLooking = false
  let grows = false
  let quietLooks = 0

  function set(wanted: boolean): void {
    if (grows === wanted) return
    grows = wanted
    for (const flag of wanted ? GROWING : SMALL) setFlag(flag)
  }

  function look(): void {
    quietLooks = count >= LOAD ? 0 : quietLooks + 1
    if (quietLooks >= QUIET_LOOKS) set(false)
    isLooking = grows || count > 0
    count = 0
    if (isLooking) clock.after(LOOK_EVERY_MS, look)
  }

  function come(work: number): void {
    count += work
    if (count >= LOAD && !grows) {
      quietLooks = 0
      set(true)
    }
    if (isLooking) return
    isLooking = true
    clock.after(LOOK_EVERY_MS, look)
  }

  return {
    onTransaction: () => come(1),
    onBlock: (bytes) => come(bytes / BLOCK_BYTES),
  }
}
