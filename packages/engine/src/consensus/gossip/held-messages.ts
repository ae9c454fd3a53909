import type { Clock, Timer } from '@org/runtime'
import { BitSet, type SignedMsgType } from '@org/types'

/** Votes and parts are passed on at multiples of this many milliseconds. So several of them are passed on together. */
const STEP_MS = 5
/**
 * The maximum number of votes and parts that are held at the same time. Honest peers send fewer within `holdMs`.
 * Further votes and parts are not held.
 */
const CAPACITY = 4096

interface Note {
  readonly place: string
  readonly index: number
  readonly ripeAt: number
}

/**
 * Votes and parts that peers sent a moment ago. The other peers probably receive them from the same sender, and will
 * soon report this. If this node passed the votes and parts on at once, each peer would receive several copies.
 */
export interface HeldMessages {
  /**
   * Begins to hold the vote or part with the index `index` in the set that `place` names. Does nothing if it is held
   * already. Returns false if the record is full, or if the gossip has stopped.
   */
  readonly note: (place: string, index: number) => boolean
  /** Returns `bits` without the votes or parts of `place` that are still held. */
  readonly ripe: (place: string, bits: BitSet) => BitSet
  readonly size: () => number
}

export function votesPlace(votes: {
  readonly height: number
  readonly round: number
  readonly type: SignedMsgType
}): string {
  return `${votes.height}/${votes.round}/${votes.type}`
}

export function partsPlace({ height, round }: { readonly height: number; readonly round: number }): string {
  return `${height}/${round}/parts`
}

/**
 * Creates the record of held votes and parts. Each vote or part is held for `holdMs`. When some of them are no longer
 * held, the record calls `onRipe`. When the signal aborts, the record is emptied and stays empty.
 */
export function createHeldMessages(
  holdMs: number,
  { clock, onRipe, signal }: { readonly clock: Clock; readonly onRipe: () => void; readonly signal: AbortSignal },
): HeldMessages {
  const places = new Map<string, BitSet>()
  let notes: Note[] = []
  let timer: Timer | undefined

  function forget({ place, index }: Note): void {
    const indexes = places.get(place)
    indexes?.set(index, false)
    if (indexes?.isEmpty() === true) places.delete(place)
  }

  /**
   * Returns the indexes of the held votes or parts of `place`, as a set with room for `index`. A place names a set of
   * votes (height, round and type) or a set of parts (height and round).
   */
  function roomFor(place: string, index: number): BitSet {
    const indexes = places.get(place)
    if (indexes !== undefined && index < indexes.size) return indexes
    const larger = new BitSet(Math.max(64, 2 * index)).or(indexes ?? new BitSet(0))
    places.set(place, larger)
    return larger
  }

  function expire(): void {
    const now = clock.monotonic()
    const left = notes.findIndex(({ ripeAt }) => ripeAt > now)
    for (const note of notes.splice(0, left === -1 ? notes.length : left)) forget(note)
    timer = undefined
    arm()
    onRipe()
  }

  function arm(): void {
    const [first] = notes
    if (first === undefined || timer !== undefined) return
    timer = clock.after(Math.max(1, first.ripeAt - clock.monotonic()), expire)
  }

  signal.addEventListener(
    'abort',
    () => {
      timer?.cancel()
      notes = []
      places.clear()
    },
    { once: true },
  )
  return {
    note: (place, index) => {
      if (notes.length >= CAPACITY || signal.aborted) return false
      const indexes = roomFor(place, index)
      if (indexes.get(index)) return true
      indexes.set(index, true)
      notes.push({ place, index, ripeAt: Math.ceil((clock.monotonic() + holdMs) / STEP_MS) * STEP_MS })
      arm()
      return true
    },
    ripe: (place, bits) => {
      const indexes = places.get(place)
      return indexes === undefined ? bits : bits.sub(indexes)
    },
    size: () => notes.length,
  }
}
