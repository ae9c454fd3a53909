/** The memory that the process uses, and the memory that it may use, in bytes. */
export interface MemoryReading {
  readonly heapUsed: number
  readonly heapLimit: number
  /** The memory of the process, in the heap and outside of it. */
  readonly processUsed: number
  readonly processLimit: number
}

/** The action that the node must take after a reading of its memory use. */
export type MemoryDecision =
  | { readonly kind: 'nothing' }
  /**
   * The node must collect garbage and read its memory use again. Much memory is in use, but some of it may be garbage.
   */
  | { readonly kind: 'collect' }
  /** The node must free this number of bytes, because too much memory is in use. */
  | { readonly kind: 'shed'; readonly bytes: number; readonly space: MemorySpace }
  /** The shortage is over. */
  | { readonly kind: 'recover' }

export type MemorySpace = 'heap' | 'process'

export interface MemoryPolicy {
  /** Decides what to do after a reading. `isCollected` is true if garbage was collected just before the reading. */
  readonly judge: (reading: MemoryReading, now: number, isCollected: boolean) => MemoryDecision
  readonly isShort: () => boolean
}

/** A shortage of memory begins at this share of the limit of the heap or of the process. The node then frees memory. */
const SHED_FROM = 0.8
/** A shortage of memory ends at once when the node uses at most this share of the limit. */
const SHED_TO = 0.7
/**
 * A shortage of memory also ends if the node uses less than the share `SHED_FROM` of the limit for this time, in
 * milliseconds.
 */
const CALM_MS = 10_000
/**
 * A garbage collection blocks the event loop. So during a shortage of memory, at least this number of milliseconds
 * passes between two garbage collections, unless the memory use has grown much since the last garbage collection.
 */
const COLLECT_EVERY_MS = 2000

/**
 * The minimum time between two garbage collections. The time is also at least `PAUSE_OF_DURATION` times the duration of
 * the last collection, so that the node has time to make blocks.
 */
const MIN_PAUSE_MS = 250
const PAUSE_OF_DURATION = 4

const NOTHING: MemoryDecision = { kind: 'nothing' }

interface Space {
  readonly space: MemorySpace
  readonly used: number
  readonly limit: number
}

const shareOf = ({ used, limit }: Space): number => used / limit

/** Returns the memory use (heap or process) that is nearer to its limit. */
function tighter({ heapUsed, heapLimit, processUsed, processLimit }: MemoryReading): Space {
  const heap: Space = { space: 'heap', used: heapUsed, limit: heapLimit }
  const whole: Space = { space: 'process', used: processUsed, limit: processLimit }
  return shareOf(heap) >= shareOf(whole) ? heap : whole
}

/**
 * Decides when a node is short of memory. Garbage counts as used memory until it is collected. So the node takes no
 * action against a shortage before a garbage collection has shown that too much memory is really in use.
 *
 * After a garbage collection, a part of the limit is unused. Without a shortage, the next garbage collection is
 * requested at the earliest when half of this unused part is in use. So if the memory use stays near the limit, garbage
 * is not collected again and again. `COLLECT_EVERY_MS` says how often garbage is collected during a shortage.
 */
export function createMemoryPolicy(): MemoryPolicy {
  let short = false
  /**
   * During a shortage of memory: the moment since which the memory use is below the share `SHED_FROM` of the limit. The
   * shortage ends when the memory use has stayed below this share for `CALM_MS`. `undefined` if there is no shortage,
   * or if the memory use is not below this share.
   */
  let calmSince: number | undefined
  let askedAt = 0
  let collectedAt = Number.NEGATIVE_INFINITY
  /** The time before which no collection is requested. */
  let pauseUntil = Number.NEGATIVE_INFINITY
  /** The share of the limit that was in use after the last collection. */
  let collectedShare = 0

  const collectFrom = (): number => Math.max(SHED_FROM, (1 + collectedShare) / 2)

  function judgeCollected(space: Space, now: number): MemoryDecision {
    collectedAt = now
    pauseUntil = now + Math.max(MIN_PAUSE_MS, PAUSE_OF_DURATION * (now - askedAt))
    collectedShare = shareOf(space)
    if (collectedShare < SHED_FROM) return NOTHING
    short = true
    calmSince = undefined
    return { kind: 'shed', bytes: space.used - space.limit * SHED_TO, space: space.space }
  }

  function recover(): MemoryDecision {
    short = false
    calmSince = undefined
    collectedShare = 0
    return { kind: 'recover' }
  }

  /**
   * Returns the decision for a reading during a shortage: the end of the shortage, a garbage collection, or nothing. A
   * reading includes garbage, so only a garbage collection shows how much memory is in use.
   */
  function judgeShortage(share: number, now: number): MemoryDecision {
    if (share <= SHED_TO) return recover()
    if (share < SHED_FROM) {
      calmSince ??= now
      if (now - calmSince >= CALM_MS) return recover()
    } else calmSince = undefined
    if (share < SHED_FROM || now - collectedAt < COLLECT_EVERY_MS) return NOTHING
    return collect(now)
  }

  function collect(now: number): MemoryDecision {
    if (now < pauseUntil) return NOTHING
    askedAt = now
    return { kind: 'collect' }
  }

  return {
    isShort: () => short,
    judge: (reading, now, isCollected) => {
      const space = tighter(reading)
      const share = shareOf(space)
      if (isCollected) {
        const decision = judgeCollected(space, now)
        return decision.kind === 'nothing' && short ? judgeShortage(share, now) : decision
      }
      if (short && share < collectFrom()) return judgeShortage(share, now)
      return share >= collectFrom() ? collect(now) : NOTHING
    },
  }
}
