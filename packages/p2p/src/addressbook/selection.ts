import type { Random } from '@org/runtime'
import type { NetAddress } from '../address/index.ts'
import type { KnownAddress } from './known-address.ts'

/** The number of addresses of a `selection`: 23 % of the book, but at least 32 and at most 250. */
const SELECTION = { percent: 23, min: 32, max: 250 } as const

/** Chooses some of the addresses to send to a peer. `bias` (0 to 100) is the percentage of new addresses. */
export function selectAddresses(all: readonly KnownAddress[], random: Random, bias?: number): readonly NetAddress[] {
  const share = Math.floor((all.length * SELECTION.percent) / 100)
  const count = Math.min(SELECTION.max, Math.max(Math.min(SELECTION.min, all.length), share))
  if (bias === undefined) return sample(all, count, random)
  const old = all.filter(({ type }) => type === 'old')
  const wanted = Math.round((Math.min(100, Math.max(0, bias)) / 100) * count)
  const newOnes = all.filter(({ type }) => type === 'new')
  const chosen = sample(newOnes, Math.max(wanted, count - old.length), random)
  return [...chosen, ...sample(old, count - chosen.length, random)]
}

/**
 * Chooses `count` items of the list at random; all items if the list has fewer. Draws only one random number per chosen
 * item, because peers may often request a sample of a large book.
 */
function sample(list: readonly KnownAddress[], count: number, random: Random): NetAddress[] {
  const copy = [...list]
  const taken = Math.min(count, copy.length)
  for (let i = 0; i < taken; i++) {
    const j = i + random.below(copy.length - i)
    const swap = copy[i] as KnownAddress
    copy[i] = copy[j] as KnownAddress
    copy[j] = swap
  }
  return copy.slice(0, taken).map(({ address }) => address)
}
