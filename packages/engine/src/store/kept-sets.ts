import { type RotationState, rotationStateBytes, type SetRotation, type ValidatorSet } from '@org/types'
import { LRUCache } from 'lru-cache'

/**
 * While a validator set is rotated from height to height, the set is kept in memory at each height that is a multiple
 * of this number.
 */
export const SPACING = 1000
/** The maximum number of bytes that all kept sets take together. */
const MAX_BYTES = 8 << 20

/**
 * A stored validator set, and the height `height` to which it must be rotated. `stored` is the height for which the set
 * is stored. The validators and their powers are the same from `stored` to `height`; only their priorities differ.
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
   * Returns the kept set from which the rotation of `task` can begin. This set was made by rotation from the same
   * stored set (`task.stored`), and has the greatest height that is not above `task.height`. Returns `undefined` if no
   * kept set is suitable.
   */
  readonly nearest: (task: Omit<RotationTask, 'set'>) => RotationState | undefined
  /**
   * Keeps the set that the rotation has reached, if the height of this set is a multiple of {@link SPACING}. Also keeps
   * it if the rotation is complete and no kept set has a greater height.
   */
  readonly keep: (rotation: SetRotation, task: Omit<RotationTask, 'set'>) => void
  /** Removes the kept validator sets of the height `height` and of all greater heights. */
  readonly forgetFrom: (height: number) => void
}

interface KeptRotation extends RotationState {
  readonly stored: number
}

export function createKeptSets(): KeptSets {
  const rotations = new LRUCache<number, KeptRotation>({ maxSize: MAX_BYTES, sizeCalculation: rotationStateBytes })
  let last: { readonly height: number; readonly rotation: KeptRotation } | undefined
  /** The greatest height for which a set may be kept. */
  let highest = 0
  return {
    nearest: ({ stored, height }) => {
      let best: KeptRotation | undefined
      if (last !== undefined && last.height <= height && last.rotation.stored === stored) best = last.rotation
      const lowest = stored + (best?.steps ?? 0)
      for (let at = height - (height % SPACING); at > lowest; at -= SPACING) {
        const rotation = rotations.get(at)
        if (rotation?.stored === stored) return rotation
      }
      return best
    },
    keep: (rotation, { stored, height }) => {
      const at = stored + rotation.steps()
      if (at % SPACING === 0) rotations.set(at, { ...rotation.state(), stored })
      if (at === height && (last === undefined || at > last.height)) {
        last = { height: at, rotation: { ...rotation.state(), stored } }
      }
      highest = Math.max(highest, at)
    },
    forgetFrom: (height) => {
      // All kept sets have a height below `height`, so there is nothing to remove.
      if (height > highest) return
      if (last !== undefined && last.height >= height) last = undefined
      for (const at of [...rotations.keys()]) if (at >= height) rotations.delete(at)
      highest = height - 1
    },
  }
}
