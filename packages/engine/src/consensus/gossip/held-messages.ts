import type { Clock, Timer } from '@org/runtime'
import { BitSet, type SignedMsgType } from '@org/types'

/**
 * The time at which a held vote or part is passed on is rounded up to a multiple of this many milliseconds. So several
 * votes and parts are passed on together.
 */
const STEP_MS = 5
/**
 * The maximum number of votes and parts that are held at the same time. Honest peers send fewer within `holdMs`.
 * Further votes and parts are not held.
 */
const CAPACITY = 4096

interface HeldMessage {
  readonly setKey: string
  readonly index: number
  readonly releaseAt: number
}

/**
 * Votes and parts that peers sent a moment ago. The peer that sent a vote or part probably sends it to the other peers
 * too, and they will soon report that they have it. If this node passed the votes and parts on at once, each peer would
 * receive several copies.
 */
export interface HeldMessages {
  /**
   * Begins to hold the vote or part with the index `index` in the set that `setKey` names, unless it is held already.
   * Returns false if the maximum number of votes and parts is held, or if the gossip has stopped.
   */
  readonly hold: (setKey: string, index: number) => boolean
  /** Returns `bits` without the votes or parts of `setKey` that are still held. */
  readonly withoutHeld: (setKey: string, bits: BitSet) => BitSet
  readonly size: () => number
}

export function voteSetKey(votes: {
  readonly height: number
  readonly round: number
  readonly type: SignedMsgType
}): string {
  return `${votes.height}/${votes.round}/${votes.type}`
}

export function partSetKey({ height, round }: { readonly height: number; readonly round: number }): string {
  return `${height}/${round}/parts`
}

/**
 * Creates the record of held votes and parts. Each vote or part is held for `holdMs`. When some of them are no longer
 * held, the record calls `onRelease`. When the signal aborts, the record is emptied and stays empty.
 */
export function createHeldMessages(
  holdMs: number,
  { clock, onRelease, signal }: { readonly clock: Clock; readonly onRelease: () => void; readonly signal: AbortSignal },
): HeldMessages {
  const heldIndexes = new Map<string, BitSet>()
  let heldMessages: HeldMessage[] = []
  let timer: Timer | undefined

  function forget({ setKey, index }: HeldMessage): void {
    const indexes = heldIndexes.get(setKey)
    indexes?.set(index, false)
    if (indexes?.isEmpty() === true) heldIndexes.delete(setKey)
  }

  /**
   * Returns the bit set of the held votes or parts with the key `setKey`. The key names the votes of one height, round
   * and type, or the parts of one height and round. A bit is 1 while the vote or part with the same index is held. The
   * returned bit set is large enough for the bit `index`, so the caller can set this bit.
   */
  function indexesFor(setKey: string, index: number): BitSet {
    const indexes = heldIndexes.get(setKey)
    if (indexes !== undefined && index < indexes.size) return indexes
    const larger = new BitSet(Math.max(64, 2 * index)).or(indexes ?? new BitSet(0))
    heldIndexes.set(setKey, larger)
    return larger
  }

  function expire(): void {
    const now = clock.monotonic()
    const firstHeld = heldMessages.findIndex(({ releaseAt }) => releaseAt > now)
    for (const hold of heldMessages.splice(0, firstHeld === -1 ? heldMessages.length : firstHeld)) forget(hold)
    timer = undefined
    arm()
    onRelease()
  }

  function arm(): void {
    const [first] = heldMessages
    if (first === undefined || timer !== undefined) return
    timer = clock.after(Math.max(1, first.releaseAt - clock.monotonic()), expire)
  }

  signal.addEventListener(
    'abort',
    () => {
      timer?.cancel()
      heldMessages = []
      heldIndexes.clear()
    },
    { once: true },
  )
  return {
    hold: (setKey, index) => {
      if (heldMessages.length >= CAPACITY || signal.aborted) return false
      const indexes = indexesFor(setKey, index)
      if (indexes.get(index)) return true
      indexes.set(index, true)
      heldMessages.push({ setKey, index, releaseAt: Math.ceil((clock.monotonic() + holdMs) / STEP_MS) * STEP_MS })
      arm()
      return true
    },
    withoutHeld: (setKey, bits) => {
      const indexes = heldIndexes.get(setKey)
      return indexes === undefined ? bits : bits.sub(indexes)
    },
    size: () => heldMessages.length,
  }
}
