import type { KnownAddress } from './known-address.ts'

/**
 * The number of buckets of new and of old addresses, as in the reference. By the reference's constants a bucket has 64
 * places, but by its code it has 65. In this book it has 65 places.
 */
export const BUCKETS = { new: 256, old: 64 } as const
const BUCKET_SIZE = 65

type Kind = keyof typeof BUCKETS

/** The buckets and their addresses. A new address may be in several buckets, and an old address is in one bucket. */
export interface Buckets {
  readonly count: (kind: Kind) => number
  readonly isFull: (kind: Kind, index: number) => boolean
  readonly members: (kind: Kind, index: number) => readonly KnownAddress[]
  readonly add: (known: KnownAddress, index: number) => void
  /** Removes the address from a bucket. Returns true if no other bucket has it. */
  readonly remove: (known: KnownAddress, index: number) => boolean
  readonly removeAll: (known: KnownAddress) => void
}

export function createBuckets(): Buckets {
  const make = (kind: Kind): Map<string, KnownAddress>[] => Array.from({ length: BUCKETS[kind] }, () => new Map())
  const buckets = { new: make('new'), old: make('old') }
  const counts = { new: 0, old: 0 }
  const bucket = (kind: Kind, index: number): Map<string, KnownAddress> =>
    buckets[kind][index] as Map<string, KnownAddress>

  function remove(known: KnownAddress, index: number): boolean {
    if (!bucket(known.type, index).delete(known.address.id)) return known.buckets.length === 0
    known.buckets = known.buckets.filter((other) => other !== index)
    if (known.buckets.length === 0) counts[known.type]--
    return known.buckets.length === 0
  }

  return {
    count: (kind) => counts[kind],
    isFull: (kind, index) => bucket(kind, index).size >= BUCKET_SIZE,
    members: (kind, index) => [...bucket(kind, index).values()],
    add: (known, index) => {
      const members = bucket(known.type, index)
      if (members.has(known.address.id)) return
      members.set(known.address.id, known)
      if (known.buckets.length === 0) counts[known.type]++
      known.buckets = [...known.buckets, index]
    },
    remove,
    removeAll: (known) => {
      for (const index of known.buckets) remove(known, index)
    },
  }
}
