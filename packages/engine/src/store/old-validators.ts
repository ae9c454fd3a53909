import { hashValidators, type ValidatorSet } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { heightBatches } from './height-batches.ts'
import { del, type KeyValueStore, type Op } from './kv/index.ts'
import { lastStoredHeight, loadValidatorsInfo, saveValidatorsOp } from './state-infos.ts'
import { validatorsKey } from './state-keys.ts'

/** The validators that sign the block of a height. */
export interface ValidatorsOfHeight {
  readonly height: number
  readonly validators: ValidatorSet
}

/**
 * Returns the writes for the validator sets of consecutive heights. The list `sets` begins with the greatest height. If
 * consecutive heights have the same validators, only the record of the lowest of these heights contains the set, and
 * their other records refer to that record. A record never refers to a height that is not in `sets`.
 */
export function oldValidatorsOps(sets: readonly ValidatorsOfHeight[]): Op[] {
  const ops: Op[] = []
  let run: { readonly since: number; readonly hash: Uint8Array; readonly validators: ValidatorSet } | undefined
  for (const { height, validators } of sets.toReversed()) {
    const hash = run?.validators === validators ? run.hash : hashValidators(validators)
    if (run === undefined || !equalBytes(run.hash, hash)) run = { since: height, hash, validators }
    ops.push(saveValidatorsOp({ height, lastHeightChanged: run.since, validators: run.validators }))
  }
  return ops
}

/**
 * Removes the sets of the heights from `from` up to, but without, `to`, in batches. The record of `to` may contain no
 * validators, and refer to the set of a lower height instead. In this case the sets from that lower height on stay.
 * Resolves with the lowest height whose set stays.
 */
export async function removeOldValidators(db: KeyValueStore, from: number, to: number): Promise<number> {
  const info = loadValidatorsInfo(db, to)
  const isWhole = info === undefined || info.validatorSet !== undefined
  const lowest = Math.max(from, isWhole ? to : lastStoredHeight(to, info.lastHeightChanged))
  for (const heights of heightBatches(from, lowest)) {
    const ops = heights.map((height) => del(validatorsKey(height)))
    await db.write(ops, { sync: true })
  }
  return lowest
}
