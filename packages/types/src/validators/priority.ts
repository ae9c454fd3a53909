import { compareBytes } from '../bytes/index.ts'
import { addClip, subClip, wrap } from './int64.ts'

/** The maximum difference between the highest and the lowest priority of a set, as a multiple of its total power. */
export const PRIORITY_WINDOW_SIZE_FACTOR = 2n

/**
 * The powers, addresses and priorities of a set, in the order of its validators. The functions of this file change the
 * priorities.
 */
export interface Rotation {
  readonly powers: readonly bigint[]
  readonly addresses: readonly Uint8Array[]
  readonly total: bigint
  priorities: bigint[]
}

/**
 * Divides all priorities by the same number if the difference between the highest and the lowest priority is larger
 * than `window`.
 */
export function rescale(priorities: readonly bigint[], window: bigint): bigint[] {
  if (window <= 0n || priorities.length === 0) return [...priorities]
  let min = priorities[0] as bigint
  let max = min
  for (const priority of priorities) {
    if (priority < min) min = priority
    if (priority > max) max = priority
  }
  // If `max` is near the largest int64 and `min` is near the smallest, the difference wraps. The reference uses the
  // wrapped result.
  const difference = wrap(max - min)
  const distance = difference < 0n ? wrap(-difference) : difference
  if (distance <= window) return [...priorities]
  const ratio = wrap(distance + window - 1n) / window
  return priorities.map((priority) => priority / ratio)
}

/** Moves the priorities so that their average, rounded down, is 0. */
export function center(priorities: readonly bigint[]): bigint[] {
  const count = BigInt(priorities.length)
  if (count === 0n) return []
  let sum = 0n
  for (const priority of priorities) sum += priority
  const rest = sum % count
  const average = (sum - (rest < 0n ? rest + count : rest)) / count
  return priorities.map((priority) => subClip(priority, average))
}

/** Compares two validators with equal priorities: true if `a` has the lower address, and so comes before `b`. */
function hasLowerAddress(rotation: Rotation, a: number, b: number): boolean {
  return compareBytes(rotation.addresses[a] as Uint8Array, rotation.addresses[b] as Uint8Array) < 0
}

/**
 * Returns the index of the validator with the highest priority. If several validators have this priority, the validator
 * with the lowest address is chosen.
 */
function highestPriority(rotation: Rotation): number {
  const { priorities } = rotation
  let best = 0
  for (let i = 1; i < priorities.length; i++) {
    const [mine, its] = [priorities[i] as bigint, priorities[best] as bigint]
    if (mine > its || (mine === its && hasLowerAddress(rotation, i, best))) best = i
  }
  return best
}

/** Rescales and centres the priorities. A rotation does this once, before its first step. */
export function beginRotation(rotation: Rotation): void {
  rotation.priorities = center(rescale(rotation.priorities, PRIORITY_WINDOW_SIZE_FACTOR * rotation.total))
}

/** Makes `times` steps of the rotation. `times` must be at least 1. Returns the index of the last step's proposer. */
export function rotateBigints(rotation: Rotation, times: number): number {
  const { powers, total, priorities } = rotation
  let proposer = 0
  for (let step = 0; step < times; step++) {
    for (let i = 0; i < powers.length; i++) priorities[i] = addClip(priorities[i] as bigint, powers[i] as bigint)
    proposer = highestPriority(rotation)
    priorities[proposer] = subClip(priorities[proposer] as bigint, total)
  }
  return proposer
}

/**
 * A limit for the total power and for the priorities. Below it, the rotation calculates with numbers, otherwise with
 * bigints. A priority differs from 0 by at most a few times the total power. So below the limit, numbers represent each
 * sum exactly.
 */
export const NUMBER_LIMIT = 2n ** 48n

/** True if {@link rotateNumbers} gives the same result as {@link rotateBigints}. */
export function fitsNumbers({ total, priorities }: Rotation): boolean {
  return total < NUMBER_LIMIT && priorities.every((priority) => priority < NUMBER_LIMIT && priority > -NUMBER_LIMIT)
}

/** A {@link Rotation} without bigints. The functions of this file change its priorities. */
export interface NumberRotation {
  readonly powers: Float64Array
  readonly addresses: readonly Uint8Array[]
  readonly total: number
  readonly priorities: Float64Array
}

/**
 * Does the same as {@link rotateBigints}. Its loop uses no bigints, so it is thirty times as fast. This matters for the
 * validator sets of old heights, which take many steps.
 */
export function rotateNumbers({ powers, addresses, total, priorities }: NumberRotation, times: number): number {
  const goesBefore = (a: number, b: number): boolean =>
    compareBytes(addresses[a] as Uint8Array, addresses[b] as Uint8Array) < 0
  let proposer = 0
  for (let step = 0; step < times; step++) {
    proposer = 0
    let best = Number.NEGATIVE_INFINITY
    for (let i = 0; i < powers.length; i++) {
      const priority = (priorities[i] as number) + (powers[i] as number)
      priorities[i] = priority
      if (priority > best || (priority === best && goesBefore(i, proposer))) {
        best = priority
        proposer = i
      }
    }
    priorities[proposer] = best - total
  }
  return proposer
}
