import { dropOldest } from '@org/runtime'
import { LRU_SIZE } from './limits.ts'

/** The points that peers have lost, and the bans of peers. A ban expires, and lost points return with time. */
export interface Scores {
  /** Takes points from a peer. Returns true if the peer has no points left, and is therefore banned now. */
  readonly lose: (id: string, points: number) => boolean
  readonly isBanned: (id: string) => boolean
  readonly banned: () => readonly string[]
  /** Returns the number of peers whose points and bans are remembered. */
  readonly size: () => number
}

export function createScores(options: {
  readonly threshold: number
  readonly banMs: number
  readonly monotonic: () => number
}): Scores {
  const entries = new Map<string, { lost: number; at: number; bannedUntil: number }>()

  function entryOf(id: string): { lost: number; at: number; bannedUntil: number } {
    const now = options.monotonic()
    const entry = entries.get(id) ?? { lost: 0, at: now, bannedUntil: 0 }
    // Lost points return at a constant rate. So a peer that makes no fault for as long as a ban lasts has all its
    // points again.
    entry.lost = Math.max(0, entry.lost - (options.threshold * (now - entry.at)) / options.banMs)
    entry.at = now
    entries.delete(id)
    entries.set(id, entry)
    dropOldest(entries, LRU_SIZE)
    return entry
  }

  const isBanned = (id: string): boolean => (entries.get(id)?.bannedUntil ?? 0) > options.monotonic()
  return {
    lose: (id, points) => {
      const entry = entryOf(id)
      entry.lost += points
      if (entry.lost < options.threshold) return false
      entry.lost = 0
      entry.bannedUntil = options.monotonic() + options.banMs
      return true
    },
    isBanned,
    banned: () => [...entries.keys()].filter(isBanned),
    size: () => entries.size,
  }
}
