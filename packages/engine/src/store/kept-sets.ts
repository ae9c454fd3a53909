import { type RotationPlace, rotationPlaceBytes, type SetRotation, type ValidatorSet } from '@org/types'
import { LRUCache } from 'lru-cache'

/**
 * While a validator set is rotated from height to height, the set is kept in memory at each height that is a multiple
 * of this number.
 */
export const SPACING = 1000
/** The maximum number of bytes that all kept sets take together. */
const MAX_BYTES = 8 << 20

/**
 * A validator set, and the height to which it must be rotated. The set is stored for the earlier height `stored`. Its
 * validators and their powers are the same up to `height`; only their priorities differ.
 */
export interface RotationTask {
  readonly set: ValidatorSet
  readonly stored: number
  readonly height: number
}

/**
 * Intermediate validator sets of long rotations. A rotation calculates the proposer priorities of a later height, with
 * one step per height. A later rotation begins at the nearest of these sets, so it has fewer steps. The set with the
 * greatest height is always kept.
 */
export interface KeptSets {
  /**
   * Returns the kept set from which the rotation of the task can begin: the highest set that is a rotation of the same
   * stored set and that is not above the height of the task. Returns `undefined` if no kept set is suitable.
   */
  readonly nearest: (task: Omit<RotationTask, 'set'>) => RotationPlace | undefined
  /**
   * Keeps the set that the rotation has reached, if the height of this set is a multiple of {@link SPACING}. Also keeps
   * it if the rotation is complete and no kept set has a greater height.
   */
  readonly keep: (rotation: SetRotation, task: Omit<RotationTask, 'set'>) => void
  /** Removes the kept sets of this height and of all greater heights. */
  readonly forgetFrom: (height: number) => void
}

interface KeptPlace extends RotationPlace {
  readonly stored: number
}

export function createKeptSets(): KeptSets {
  const places = new LRUCache<number, KeptPlace>({ maxSize: MAX_BYTES, sizeCalculation: rotationPlaceBytes })
  let last: { readonly height: number; readonly place: KeptPlace } | undefined
  /** The greatest height for which a set may be kept. */
  let highest = 0
  return {
    nearest: ({ stored, height }) => {
      let best: KeptPlace | undefined
      if (last !== undefined && last.height <= height && last.place.stored === stored) best = last.place
      const lowest = stored + (best?.steps ?? 0)
      for (let at = height - (height % SPACING); at > lowest; at -= SPACING) {
        const place = places.get(at)
        if (place?.stored === stored) return place
      }
      return best
    },
    keep: (rotation, { stored, height }) => {
      const at = stored + rotation.steps()
      if (at % SPACING === 0) places.set(at, { ...rotation.place(), stored })
      if (at === height && (last === undefined || at > last.height)) {
        last = { height: at, place: { ...rotation.place(), stored } }
      }
      highest = Math.max(highest, at)
    },
    forgetFrom: (height) => {
      // No set is kept at this height or above it, so there is nothing to remove.
      if (height > highest) return
      if (last !== undefined && last.height >= height) last = undefined
      for (const at of [...places.keys()]) if (at >= height) places.delete(at)
      highest = height - 1
    },
  }
}
