import { createSetRotation, rotationStepCost, type ValidatorSet } from '@org/types'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { createKeptSets, type RotationTask, SPACING } from './kept-sets.ts'

/**
 * The maximum amount of work that is done without a pause. The amount is the number of rotation steps, multiplied by
 * the number of validators. An amount of 200,000 takes about a millisecond.
 */
const MAX_WORK_AT_ONCE = 200_000
/** The maximum amount of work between two readings of the clock: rotation steps, multiplied by validators. */
const MAX_WORK_OF_PIECE = 16_384
/** The maximum number of rotations that may wait while another rotation runs. */
const MAX_WAITING = 32

/** Decides when a long rotation lets other work run. */
export interface RotationTurns {
  readonly isDue: () => boolean
  readonly pause: () => Promise<void>
  /**
   * Returns a signal that aborts when no caller waits for the set any more. This function is called only if the
   * rotation takes long.
   */
  readonly signal: () => AbortSignal
}

/**
 * Rotates stored sets to later heights. A set may have to be rotated over up to 99,999 heights, which takes long. So
 * some intermediate sets of each rotation are kept. A later rotation begins at the nearest kept set below the new
 * height, and so has fewer steps.
 */
export interface RotatedSets {
  /** Rotates a set, and blocks the event loop until the rotation is complete. */
  readonly rotate: (task: RotationTask) => ValidatorSet
  /** Returns true if {@link RotatedSets.rotate} takes about a millisecond or less. */
  readonly isNear: (task: RotationTask) => boolean
  /**
   * Rotates a set, and regularly pauses to let other work run. Only one such rotation runs at a time, and others wait.
   * `task` returns the stored set to rotate. It is called when the rotation begins, because stored sets may change
   * while the rotation waits. Rejects with `STORE_BUSY` if too many rotations wait already, or with the reason of the
   * signal.
   */
  readonly rotateInTurns: (task: () => RotationTask, turns: RotationTurns) => Promise<ValidatorSet>
  /** Removes the kept sets of this height and of all greater heights. */
  readonly forgetFrom: (height: number) => void
}

export function createRotatedSets(): RotatedSets {
  const kept = createKeptSets()
  /**
   * The rotation that runs now, and the height to which it rotates a set. `forgetFrom` is called when validator sets
   * are about to change. If it removes the sets of this height while the rotation runs, the set of the rotation may be
   * outdated. So the rotation then keeps no more intermediate sets.
   */
  let currentRotation: { readonly height: number; isForgotten: boolean } | undefined
  const waiting: (() => void)[] = []
  let isBusy = false

  /**
   * Rotates a set in pieces, and yields after each piece. If a set must be kept at a height, a piece ends at this
   * height.
   */
  function* pieces(task: RotationTask, isForgotten: () => boolean): Generator<void, ValidatorSet> {
    const { set, stored, height } = task
    if (height === stored) return set
    const rotation = createSetRotation(set, kept.nearest(task))
    const maxSteps = Math.max(1, Math.floor(MAX_WORK_OF_PIECE / rotationStepCost(set)))
    for (let at = stored + rotation.steps(); at < height; at = stored + rotation.steps()) {
      rotation.advance(Math.min(maxSteps, height - at, SPACING - (at % SPACING)))
      if (!isForgotten()) kept.keep(rotation, task)
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

  async function acquire(): Promise<void> {
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

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) isBusy = false
    else next()
  }

  async function inTurns(task: RotationTask, turns: RotationTurns, signal: AbortSignal): Promise<ValidatorSet> {
    const rotation = { height: task.height, isForgotten: false }
    currentRotation = rotation
    const work = pieces(task, () => rotation.isForgotten)
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = work.next()
      if (done === true) return value
      if (turns.isDue()) await turns.pause()
    }
  }

  return {
    rotate,
    isNear: (task) => {
      const { steps = 0 } = kept.nearest(task) ?? {}
      return (task.height - task.stored - steps) * rotationStepCost(task.set) <= MAX_WORK_AT_ONCE
    },
    rotateInTurns: async (task, turns) => {
      await acquire()
      try {
        const signal = turns.signal()
        signal.throwIfAborted()
        await turns.pause()
        return await inTurns(task(), turns, signal)
      } finally {
        currentRotation = undefined
        release()
      }
    },
    forgetFrom: (height) => {
      if (currentRotation !== undefined && currentRotation.height >= height) currentRotation.isForgotten = true
      kept.forgetFrom(height)
    },
  }
}
