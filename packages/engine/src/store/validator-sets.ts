import type { ValidatorSet } from '@org/types'
import { LRUCache } from 'lru-cache'
import { cached } from './cached.ts'
import type { RotationTask } from './kept-sets.ts'
import type { KeyValueStore } from './kv/index.ts'
import { createRotatedSets, type RotationTurns } from './rotated-sets.ts'
import { loadWholeSet } from './state-infos.ts'

/** The maximum size of the cache of validator sets: the number of validators in all its sets together. */
const MAX_KEPT_VALIDATORS = 100_000
/**
 * The maximum number of sets in the cache of whole sets. A whole set is a validator set whose record has all
 * validators, and does not only refer to an earlier height.
 */
const WHOLE_SETS = 2

/** Reads the validator sets of all heights, and keeps some in memory. Throws `STORE_NOT_FOUND` for a missing set. */
export interface ValidatorSets {
  /** Loads the set of a height, with its priorities. If a long rotation is needed, the call blocks the event loop. */
  readonly load: (height: number) => ValidatorSet
  /**
   * Loads the set of a height, with its priorities. If a long rotation is needed, this function returns a promise, and
   * the rotation pauses regularly to let other work run. If no long rotation is needed, it returns the set.
   */
  readonly loadInTurns: (height: number, turns: RotationTurns) => ValidatorSet | Promise<ValidatorSet>
  /** Loads the keys and powers of a height. The priorities may be those of an earlier height. */
  readonly loadSigners: (height: number) => ValidatorSet
  /** Returns true if a set that was read for this height is in memory. */
  readonly isCached: (height: number) => boolean
  /** Removes all sets from memory, except the sets that rotations have kept for later rotations. */
  readonly clear: () => void
  /**
   * Removes the sets that rotations have kept for the height `height` and for all greater heights. Must be called when
   * the sets of these heights are about to change.
   */
  readonly forgetFrom: (height: number) => void
}

/** Creates the reader, which keeps the sets of at most `cacheSize` heights. */
export function createValidatorSets(db: KeyValueStore, cacheSize: number): ValidatorSets {
  const sets = new LRUCache<number, ValidatorSet>({
    max: cacheSize,
    maxSize: MAX_KEPT_VALIDATORS,
    sizeCalculation: ({ validators }) => validators.length + 1,
  })
  const rotated = createRotatedSets()
  /**
   * Whole sets, from which the sets of other heights are made by rotation. They are kept because decoding a large set
   * takes longer than rotating it.
   */
  const wholeSets = new LRUCache<number, ValidatorSet>({ max: WHOLE_SETS })
  /**
   * The number of times that the caches were cleared. If the number changes during a read, the result of the read may
   * be outdated, and is not put into the caches.
   */
  let generation = 0

  const loadWhole = (height: number) => loadWholeSet(db, height, (stored, read) => cached(wholeSets, stored, read))
  const rotationTo = (height: number): RotationTask => ({ ...loadWhole(height), height })
  const load = (height: number): ValidatorSet => cached(sets, height, () => rotated.rotate(rotationTo(height)))

  async function rotateInTurns(height: number, turns: RotationTurns): Promise<ValidatorSet> {
    let begun = generation
    const begin = (): RotationTask => {
      begun = generation
      return rotationTo(height)
    }
    const set = await rotated.rotateInTurns(begin, turns)
    if (begun === generation) sets.set(height, set)
    return set
  }

  return {
    load,
    loadInTurns: (height, turns) =>
      sets.has(height) || rotated.isNear(rotationTo(height)) ? load(height) : rotateInTurns(height, turns),
    loadSigners: (height) => sets.get(height) ?? loadWhole(height).set,
    isCached: (height) => sets.has(height) || wholeSets.has(height),
    clear: () => {
      generation++
      sets.clear()
      wholeSets.clear()
    },
    forgetFrom: rotated.forgetFrom,
  }
}
