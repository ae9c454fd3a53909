import {
  createSetRotation,
  type RotationPlace,
  rotationPlaceBytes,
  rotationStepCost,
  type SetRotation,
  type ValidatorSet,
} from '@org/types'
import { LRUCache } from 'lru-cache'
import { STORE_ERRORS, StoreError } from './errors.ts'

/**
 * While a set is rotated from height to height, the set of each height that is a multiple of this number is kept in
 * memory.
 */
const SPACING = 1000
/** The maximum number of bytes that all kept sets take together. */
const MAX_BYTES = 8 << 20
/**
 * The maximum amount of work that is done without a pause: the product of rotation steps and validators. It takes about
 * a millisecond.
 */
const AT_ONCE = 200_000
/** The amount of work between two readings of the clock: the product of rotation steps and validators. */
const PIECE = 16_384
/** The maximum number of rotations that may wait while another rotation runs. */
const MAX_WAITING = 32

/** Decides when a long rotation lets other work run. */
export interface RotationTurns {
  readonly isDue: () => boolean
  readonly rest: () => Promise<void>
  /**
   * Returns a signal that aborts when no caller wants the set any more. This function is called only if the rotation
   * takes long.
   */
  readonly signal: () => AbortSignal
}

/**
 * A validator set, and the height to which it must be rotated. The set was stored whole for the earlier height
 * `stored`. Its validators and their powers did not change up to `height`.
 */
export interface RotationTask {
  readonly set: ValidatorSet
  readonly stored: number
  readonly height: number
}

/**
 * Rotates stored sets to later heights. A set may have to be rotated over up to 99,999 heights, which takes long. So
 * some of the sets on the way are kept, and a later rotation begins at the nearest kept set. The set of the highest
 * height is always kept, so the sets of new heights need only a few steps.
 */
export interface RotatedSets {
  /** Rotates a set without a pause. */
  readonly rotate: (task: RotationTask) => ValidatorSet
  /** Returns true if {@link RotatedSets.rotate} takes about a millisecond or less. */
  readonly isNear: (task: RotationTask) => boolean
  /**
   * Rotates a set with pauses. Only one such rotation runs at a time, and others wait. `task` is called only when the
   * rotation begins, because stored sets may have changed while it waited. Rejects with `STORE_BUSY` if too many
   * rotations wait already, or with the reason of the signal.
   */
  readonly rotateInTurns: (task: () => RotationTask, turns: RotationTurns) => Promise<ValidatorSet>
  /** Removes the kept sets of this height and of all greater heights. */
  readonly forgetFrom: (height: number) => void
}

interface KeptPlace extends RotationPlace {
  readonly stored: number
}

export function createRotatedSets(): RotatedSets {
  const places = new LRUCache<number, KeptPlace>({ maxSize: MAX_BYTES, sizeCalculation: rotationPlaceBytes })
  let last: { readonly height: number; readonly place: KeptPlace } | undefined
  /** The greatest height for which a set may be kept. */
  let highest = 0
  /**
   * The rotation that runs at present, with the height of its result. If `forgetFrom` removes the kept sets of this
   * height before the rotation ends, the results of the rotation are not kept.
   */
  let inWork: { readonly height: number; isForgotten: boolean } | undefined
  const waiting: (() => void)[] = []
  let isBusy = false

  /**
   * Among the kept sets that were rotated from the same stored set, returns the one with the greatest height that is
   * not above `height`; `undefined` if there is none.
   */
  function nearest({ stored, height }: RotationTask): KeptPlace | undefined {
    let best: KeptPlace | undefined
    if (last !== undefined && last.height <= height && last.place.stored === stored) best = last.place
    const lowest = stored + (best?.steps ?? 0)
    for (let at = height - (height % SPACING); at > lowest; at -= SPACING) {
      const place = places.get(at)
      if (place?.stored === stored) return place
    }
    return best
  }

  function keep(rotation: SetRotation, { stored, height }: RotationTask): void {
    const at = stored + rotation.steps()
    if (at % SPACING === 0) places.set(at, { ...rotation.place(), stored })
    if (at === height && (last === undefined || at > last.height)) {
      last = { height: at, place: { ...rotation.place(), stored } }
    }
    highest = Math.max(highest, at)
  }

  /**
   * Rotates a set piece by piece, and yields after each piece. A piece ends at the latest at the next height whose set
   * must be kept.
   */
  function* pieces(task: RotationTask, isForgotten: () => boolean): Generator<void, ValidatorSet> {
    const { set, stored, height } = task
    if (height === stored) return set
    const rotation = createSetRotation(set, nearest(task))
    const most = Math.max(1, Math.floor(PIECE / rotationStepCost(set)))
    for (let at = stored + rotation.steps(); at < height; at = stored + rotation.steps()) {
      rotation.advance(Math.min(most, height - at, SPACING - (at % SPACING)))
      if (!isForgotten()) keep(rotation, task)
      yield
    }
    return rotation.result()
  }

  function rotate(task: RotationTask): ValidatorSet {
    const work = pieces(task, () => false)
    for (;;) {
      const { done, value } = work.next()
      if (done === true) return value
    }
  }

  async function enter(): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return
    }
    if (waiting.length >= MAX_WAITING) {
      const message = `too many requests for validator sets of old heights are pending (${waiting.length}): try again later`
      throw new StoreError(STORE_ERRORS.busy, message, { data: { waiting: waiting.length, limit: MAX_WAITING } })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) isBusy = false
    else next()
  }

  async function inTurns(task: RotationTask, turns: RotationTurns, signal: AbortSignal): Promise<ValidatorSet> {
    const own = { height: task.height, isForgotten: false }
    inWork = own
    const work = pieces(task, () => own.isForgotten)
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = work.next()
      if (done === true) return value
      if (turns.isDue()) await turns.rest()
    }
  }

  return {
    rotate,
    isNear: (task) => {
      const { steps = 0 } = nearest(task) ?? {}
      return (task.height - task.stored - steps) * rotationStepCost(task.set) <= AT_ONCE
    },
    rotateInTurns: async (task, turns) => {
      await enter()
      try {
        const signal = turns.signal()
        signal.throwIfAborted()
        await turns.rest()
        return await inTurns(task(), turns, signal)
      } finally {
        inWork = undefined
        leave()
      }
    },
    forgetFrom: (height) => {
      if (inWork !== undefined && inWork.height >= height) inWork.isForgotten = true
      // No set is kept at this height or above it, so there is nothing to remove.
      if (height > highest) return
      if (last !== undefined && last.height >= height) last = undefined
      for (const at of [...places.keys()]) if (at >= height) places.delete(at)
      highest = height - 1
    },
  }
}
