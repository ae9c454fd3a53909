import type { Clock } from '@org/runtime'

/** A turn with no room for all that a peer asks for is shared out in pieces of so many transactions. */
export const TURN_PIECE = 16

/** Shares the transactions that are looked at in a millisecond among all peers, in the order in which they ask. */
export interface TxTurns {
  /** Takes room for `count` transactions, at most {@link TURN_PIECE}: `undefined` if there is room now, else resolves when there is. */
  readonly take: (count: number) => Promise<void> | undefined
}

export function createTxTurns(perMs: number, { monotonic, after }: Pick<Clock, 'monotonic' | 'after'>): TxTurns {
  const line: { readonly count: number; readonly enter: () => void }[] = []
  let since = Number.NEGATIVE_INFINITY
  let used = 0

  function hasRoom(count: number): boolean {
    const now = monotonic()
    if (now - since >= 1) {
      since = now
      used = 0
    }
    return used + count <= perMs
  }

  function nextTurn(): void {
    for (let first = line[0]; first !== undefined && hasRoom(first.count); first = line[0]) {
      line.shift()
      used += first.count
      first.enter()
    }
    if (line.length > 0) after(1, nextTurn)
  }

  return {
    take: (count) => {
      if (line.length === 0 && hasRoom(count)) {
        used += count
        return undefined
      }
      return new Promise((enter) => {
        line.push({ count, enter })
        if (line.length === 1) after(1, nextTurn)
      })
    },
  }
}
