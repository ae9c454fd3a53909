import type { Clock } from '@org/runtime'

/** A turn with no room for all that a peer asks for is shared out in pieces of so many transactions. */
export const TURN_PIECE = 16

/**
 * The most milliseconds that count together when the timer of a turn fires late. A timer of 1 ms fires after 1.2 to 1.7 ms, and later
 * while the event loop is busy: without this, the rate would be much lower than the configured one.
 */
export const MAX_LATE_MS = 8

/** Shares the transactions that are looked at in a millisecond among all peers, in the order in which they ask. */
export interface TxTurns {
  /** Takes room for `count` transactions, at most {@link TURN_PIECE}: `undefined` if there is room now, else resolves when there is. */
  readonly take: (count: number) => Promise<void> | undefined
}

export function createTxTurns(perMs: number, { monotonic, after }: Pick<Clock, 'monotonic' | 'after'>): TxTurns {
  const line: { readonly count: number; readonly enter: () => void }[] = []
  let since = Number.NEGATIVE_INFINITY
  let room = 0

  /** Only a peer that waited gets room for the time that has passed: an idle node takes no more at once than in a millisecond. */
  function hasRoom(count: number, hasWaited: boolean): boolean {
    const now = monotonic()
    const elapsed = now - since
    if (elapsed >= 1) {
      since = now
      room = hasWaited ? Math.floor(perMs * Math.min(elapsed, MAX_LATE_MS)) : perMs
    }
    return count <= room
  }

  function nextTurn(): void {
    for (let first = line[0]; first !== undefined && hasRoom(first.count, true); first = line[0]) {
      line.shift()
      room -= first.count
      first.enter()
    }
    if (line.length > 0) after(1, nextTurn)
  }

  return {
    take: (count) => {
      if (line.length === 0 && hasRoom(count, false)) {
        room -= count
        return undefined
      }
      return new Promise((enter) => {
        line.push({ count, enter })
        if (line.length === 1) after(1, nextTurn)
      })
    },
  }
}
