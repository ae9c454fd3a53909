import type { ValidatorSet } from '@org/types'
import { bytesToHex } from '@org/types/bytes'

/** A vote for a value, at a height and round. The value is the hash of a block in hex, or {@link NIL}. */
export interface VotedValue {
  readonly height: number
  readonly round: number
  readonly value: string
}

/** The value of a vote for no block. */
export const NIL = 'nil'
/**
 * {@link ofHeight} keeps entries for this number of heights below the newest height. The number is large, because a
 * node that was frozen for a long time sends votes of much lower heights than the newest.
 */
const KEEP = 1000

/**
 * Returns the entries of a height. Adds an empty map for a new height, and removes the heights that are more than
 * `KEEP` below it.
 */
export function ofHeight<T>(heights: Map<number, Map<string, T>>, height: number): Map<string, T> {
  let found = heights.get(height)
  if (found === undefined) {
    found = new Map()
    heights.set(height, found)
    for (const old of heights.keys()) if (old < height - KEEP) heights.delete(old)
  }
  return found
}

/** The prevotes that the validators sent. */
export interface PrevoteRecord {
  readonly add: (voted: VotedValue, address: string) => void
  /**
   * Returns true if more than two thirds of the power prevoted for the value in the round. The validator `also` counts
   * as one of the voters, even if its prevote is not recorded.
   */
  readonly isPolka: (voted: VotedValue, also?: string) => boolean
  /**
   * Returns true if a validator with this lock may prevote for another value in `round`, because a later polka has
   * released the lock.
   */
  readonly mayLeave: (lock: VotedValue, round: number, address: string) => boolean
}

export function createPrevoteRecord(validatorsAt: (height: number) => ValidatorSet | undefined): PrevoteRecord {
  /** The validators that prevoted, by round and value. */
  const prevotes = new Map<number, Map<string, Set<string>>>()

  function isPolka({ height, round, value }: VotedValue, also?: string): boolean {
    const validators = validatorsAt(height)
    if (validators === undefined) return true
    const voters = prevotes.get(height)?.get(`${round} ${value}`) ?? new Set<string>()
    let [power, total] = [0n, 0n]
    for (const { address, votingPower } of validators.validators) {
      total += votingPower
      const name = bytesToHex(address)
      if (voters.has(name) || name === also) power += votingPower
    }
    return power * 3n > total * 2n
  }

  function mayLeave(lock: VotedValue, round: number, address: string): boolean {
    const rounds = ofHeight(prevotes, lock.height)
    for (const key of rounds.keys()) {
      const [at, value] = key.split(' ') as [string, string]
      const polkaRound = Number(at)
      if (polkaRound <= lock.round || polkaRound > round || value === lock.value) continue
      if (isPolka({ height: lock.height, round: polkaRound, value }, address)) return true
    }
    return false
  }

  return {
    add: ({ height, round, value }, address) => {
      const rounds = ofHeight(prevotes, height)
      const key = `${round} ${value}`
      const voters = rounds.get(key) ?? new Set()
      voters.add(address)
      rounds.set(key, voters)
    },
    isPolka,
    mayLeave,
  }
}
