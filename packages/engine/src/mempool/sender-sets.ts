/**
 * The senders of a transaction. Each peer is represented by the number that identifies it. The number 0 represents
 * all clients.
 */
export type Senders = ReadonlySet<number>

/**
 * Keeps one set object for all transactions with the same senders. There are far fewer different sets than
 * transactions.
 */
export interface SenderSets {
  readonly of: (sender: number) => Senders
  readonly union: (senders: Senders, more: Senders) => Senders
}

/**
 * The maximum number of senders in all kept set objects together. A set object is kept, so that transactions with the
 * same senders can share it. If peers send transactions in many different orders, there are many different sets. When
 * the maximum is reached, all kept set objects are removed, and the sharing begins again with new ones.
 */
const MAX_KEPT_NUMBERS = 100_000

/**
 * The maximum number of senders that are recorded for one transaction. The node may send the transaction back to a peer
 * that is not recorded, which costs only traffic.
 */
export const MAX_SENDERS_OF_TX = 1000

const NONE: Senders = new Set()

export function createSenderSets(maxNumbers: number = MAX_KEPT_NUMBERS): SenderSets {
  /** Maps a set of senders and the number of a further sender to the set that contains all of them. */
  let larger = new Map<Senders, Map<number, Senders>>()
  /** The sum of the sizes of all sets in the map `larger`. */
  let count = 0

  function add(senders: Senders, sender: number): Senders {
    const known = larger.get(senders)?.get(sender)
    if (known !== undefined) return known
    if (senders.size >= MAX_SENDERS_OF_TX) return senders
    if (count >= maxNumbers) {
      larger = new Map()
      count = 0
    }
    const made = new Set(senders).add(sender)
    const next = larger.get(senders) ?? new Map<number, Senders>()
    larger.set(senders, next.set(sender, made))
    count += made.size
    return made
  }

  return {
    of: (sender) => add(NONE, sender),
    union: (senders, more) => {
      let all = senders
      for (const sender of more) if (!all.has(sender)) all = add(all, sender)
      return all
    },
  }
}
