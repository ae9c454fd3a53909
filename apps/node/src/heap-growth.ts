import { setFlagsFromString } from 'node:v8'
import type { Clock } from '@org/runtime'

/** The factor by which V8 grows the young generation when much of it survives a collection; 1 keeps its size. */
const YOUNG = '--semi-space-growth-factor'
/**
 * The growth of the old generation after a collection before the next one, in percent; 0 is V8's own choice, about
 * 40.
 */
const OLD = '--heap-growing-percent'

const SMALL = [`${YOUNG}=1`, `${OLD}=0`] as const
const GROWING = [`${YOUNG}=2`, `${OLD}=200`] as const

const LOOK_EVERY_MS = 250
/** The least number of transactions between two checks that counts as load: 100 per second. */
const LOAD = 25
/** The bytes of a block or a chunk from or to a peer that use the heap as much as one transaction. */
const BLOCK_BYTES = 1000
/** The number of checks without load after which the load is over: 5 s. */
const QUIET_LOOKS = 20

/** How V8's heap grows in this process, for all nodes in it. */
export interface HeapGrowth {
  /** To be called for each new transaction. */
  readonly onTransaction: () => void
  /** To be called for each block or chunk of a snapshot from or to a peer, with its bytes. */
  readonly onTransfer: (bytes: number) => void
}

export interface HeapGrowthModules {
  readonly clock: Pick<Clock, 'after'>
  /** Default: V8's. */
  readonly setFlag?: (flag: string) => void
}

/** Keeps V8's heap as small as it is. Call it once in a process, before everything else. */
export function keepHeapSmall(setFlag: (flag: string) => void = setFlagsFromString): void {
  for (const flag of SMALL) setFlag(flag)
}

/**
 * Lets the heap grow under load, and keeps it small otherwise.
 *
 * A small young generation is collected often. The data of a transaction lives from its arrival to its block. Each
 * collection copies it, and then it moves to the old generation, which is collected many times per second. A chunk of a snapshot has bytes outside of the heap that V8 counts as part of it: with the usual growth
 * of a small heap, V8 collects all of it several times for each chunk. But empty blocks would fill a large young generation, too, and use memory without need.
 *
 * V8 reads these flags at each collection. So the heap may grow only while transactions come, or blocks and chunks
 * from or to peers. The young generation grows up to the launcher's `--max-semi-space-size`. V8 itself shrinks it at a collection
 * if less than 1 MB per second was allocated. An option of the command could not set the factor to 1. A runtime without
 * these flags ignores them.
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
    onTransfer: (bytes) => come(bytes / BLOCK_BYTES),
  }
}
