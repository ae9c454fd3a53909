import { setFlagsFromString } from 'node:v8'
import type { Clock } from '@org/runtime'

/**
 * The factor by which V8 enlarges the young generation when many of its objects survive a collection. With the factor
 * 1, the young generation keeps its size.
 */
const YOUNG = '--semi-space-growth-factor'
/**
 * The percentage by which the old generation grows after a collection until V8 collects it again. 0 lets V8 choose:
 * about 40.
 */
const OLD = '--heap-growing-percent'

const SMALL = [`${YOUNG}=1`, `${OLD}=0`] as const
const GROWING = [`${YOUNG}=2`, `${OLD}=200`] as const

const CHECK_INTERVAL_MS = 250
/**
 * The node is under load if at least this many transactions come between two checks of the load. A check comes every
 * 250 ms, so this number means 100 transactions per second.
 */
const LOAD = 25
/**
 * Transactions are not the only load: the node also exchanges blocks and snapshot chunks with peers. This number of
 * exchanged bytes counts as one transaction.
 */
const BLOCK_BYTES = 1000
/**
 * One progress report of a replay counts as this number of transactions. So three reports between two checks reach
 * {@link LOAD}. A long replay reports its progress about every 10 ms, so the node is under load after about 30 ms of
 * replay.
 */
const REPLAY_REPORT = 10
/** The load is over after this number of checks without load: after 5 s. */
const QUIET_CHECKS = 20

/** Controls how V8's heap grows in this process, for all nodes of the process. */
export interface HeapGrowth {
  /** Counts one transaction as load. To be called for each new transaction. */
  readonly onTransaction: () => void
  /**
   * Counts a transfer as load. To be called for each block and each snapshot chunk that the node sends to a peer or
   * receives from a peer. `bytes` is the size of the block or chunk.
   */
  readonly onTransfer: (bytes: number) => void
  /**
   * Counts a replay as load. To be called for each progress report while old blocks are replayed to the application.
   */
  readonly onReplay: () => void
}

export interface HeapGrowthModules {
  readonly clock: Pick<Clock, 'after'>
  /** Sets a flag of V8. Default: `setFlagsFromString` of Node.js. */
  readonly setFlag?: (flag: string) => void
}

/**
 * Sets the flags with which V8's heap grows as little as possible. To be called once in a process, before everything
 * else.
 */
export function keepHeapSmall(setFlag: (flag: string) => void = setFlagsFromString): void {
  for (const flag of SMALL) setFlag(flag)
}

/**
 * Lets the heap grow under load, and keeps it small without load.
 *
 * Under load, a small heap takes much processor time, for three reasons:
 * - Transactions: V8 collects a small young generation often. The data of a transaction stays in use from its arrival
 *   until its block is executed. So each collection copies this data, and then moves it to the old generation. V8 must
 *   then collect the old generation many times per second.
 * - Snapshot chunks: V8 counts the bytes of a chunk, although these bytes are outside of the heap. So V8 collects a
 *   small heap several times for each chunk.
 * - Replay: a replay creates the objects of more than ten thousand blocks per second.
 *
 * Without load, a large young generation would waste memory, because empty blocks would fill it too.
 *
 * For these reasons, the code changes two flags of V8 while the node runs: one for the growth of the young generation,
 * and one for the growth of the old generation. V8 reads these flags at each collection. The young generation grows up
 * to the launcher's `--max-semi-space-size`. V8 itself shrinks the young generation at a collection if less than 1 MB
 * per second was allocated.
 *
 * The flags are set in code, because Node.js has no command-line option that sets the growth factor of the young
 * generation to 1. A runtime that does not have these flags ignores them.
 */
export function createHeapGrowth({ clock, setFlag = setFlagsFromString }: HeapGrowthModules): HeapGrowth {
  let count = 0
  let isChecking = false
  let grows = false
  let quietChecks = 0

  function set(wanted: boolean): void {
    if (grows === wanted) return
    grows = wanted
    for (const flag of wanted ? GROWING : SMALL) setFlag(flag)
  }

  function check(): void {
    quietChecks = count >= LOAD ? 0 : quietChecks + 1
    if (quietChecks >= QUIET_CHECKS) set(false)
    isChecking = grows || count > 0
    count = 0
    if (isChecking) clock.after(CHECK_INTERVAL_MS, check)
  }

  function addWork(work: number): void {
    count += work
    if (count >= LOAD && !grows) {
      quietChecks = 0
      set(true)
    }
    if (isChecking) return
    isChecking = true
    clock.after(CHECK_INTERVAL_MS, check)
  }

  return {
    onTransaction: () => addWork(1),
    onTransfer: (bytes) => addWork(bytes / BLOCK_BYTES),
    onReplay: () => addWork(REPLAY_REPORT),
  }
}
