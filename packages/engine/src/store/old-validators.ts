import { hashValidators, type ValidatorSet } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { del, type KeyValueStore, type Op } from './kv/index.ts'
import { lastStoredHeight, loadValidatorsInfo, saveValidatorsOp } from './state-infos.ts'
import { validatorsKey } from './state-keys.ts'

/** The validators that sign the block of a height. */
export interface ValidatorsOfHeight {
  readonly height: number
  readonly validators: ValidatorSet
}

/** The maximum number of heights that are removed in one batch. */
const BATCH = 1000

/**
 * Returns the writes for the validator sets of heights without a gap, the lowest height last. If neighbouring heights
 * have the same validators, only the record of the lowest of them contains the set. The records of the others refer to
 * it. The records never refer to a height that is not in the list.
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
 * Returns the writes that remove the sets from the height `from` on, and the lowest height whose set stays. Each record
 * that stays refers to a record that stays too.
 */
export function removeOldValidatorsOps(
  db: KeyValueStore,
  from: number,
  to: number,
): { readonly batches: Iterable<readonly Op[]>; readonly lowest: number } {
  const info = loadValidatorsInfo(db, to)
  const isWhole = info === undefined || info.validatorSet !== undefined
  const lowest = Math.max(from, isWhole ? to : lastStoredHeight(to, info.lastHeightChanged))
  return { batches: removals(from, lowest), lowest }
}

function* removals(from: number, to: number): Generator<readonly Op[]> {
  for (let at = from; at < to; at += BATCH) {
    const length = Math.min(BATCH, to - at)
    yield Array.from({ length }, (_, index) => del(validatorsKey(at + index)))
  }
}
