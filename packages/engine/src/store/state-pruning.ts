import { ConsensusParamsInfo, ValidatorsInfo } from '@org/types'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { del, type KeyValueStore, type Op, put } from './kv/index.ts'
import * as infos from './state-infos.ts'
import { paramsKey, responseKey, validatorsKey } from './state-keys.ts'

export interface StatePruneRequest {
  /** The lowest height whose state is removed. */
  readonly from: number
  /** The lowest height whose state is kept. */
  readonly to: number
  /** The validator sets from this height on are kept, because evidence may need them. This height may be below `to`. */
  readonly evidenceThresholdHeight: number
}

/** The maximum number of heights in one batch. */
const BATCH = 1000

/**
 * Yields the batches that remove the states of the heights from `from` to `to - 1`. Throws a {@link StoreError} if this
 * range is invalid.
 *
 * The record of a height may contain no validator set or no parameters, and refer to the record of a lower height
 * instead. The batches begin at the greatest height, so a record is always removed before the record to which it
 * refers.
 *
 * A record above the range may refer to a record in the range. The record in the range is then kept. If the record in
 * the range refers to a lower record itself, it is replaced by a record with the whole validator set or all parameters.
 */
export function* planStatePrune(
  db: KeyValueStore,
  { from, to, evidenceThresholdHeight }: StatePruneRequest,
): Generator<readonly Op[]> {
  const refuse = (problem: string): never => {
    throw new StoreError(STORE_ERRORS.invalid, problem, { data: { from, to } })
  }
  if (from <= 0 || to <= 0) refuse(`from height ${from} and to height ${to} must be greater than 0`)
  if (from >= to) refuse(`from height ${from} must be lower than to height ${to}`)
  const lowestKept = Math.min(to, evidenceThresholdHeight)
  const validators = infos.loadValidatorsInfo(db, lowestKept)
  if (validators === undefined) throw infos.notFound('validator set', lowestKept)
  const params = infos.loadParamsInfo(db, to)
  if (params === undefined) throw infos.notFound('consensus params', to)

  const keepValidators = new Set<number>()
  if (validators.validatorSet === undefined) {
    keepValidators.add(validators.lastHeightChanged)
    // The record of the height `lowestKept` contains no set, but refers to a whole set at a lower height. So this whole
    // set is kept too. The reference looks for the last whole set up to the height `to`, which can be above
    // `lowestKept`. In this case the reference can remove the whole set that the record of `lowestKept` needs.
    keepValidators.add(infos.lastStoredHeight(lowestKept, validators.lastHeightChanged))
  }
  const keepParams = infos.isEmptyParams(params.consensusParams) ? params.lastHeightChanged : undefined

  let ops: Op[] = []
  for (let at = to - 1; at >= from; at--) {
    if (keepValidators.has(at)) {
      if (infos.loadValidatorsInfo(db, at)?.validatorSet === undefined) ops.push(wholeValidators(db, at))
    } else if (at < evidenceThresholdHeight) {
      ops.push(del(validatorsKey(at)))
    }
    if (at !== keepParams) {
      ops.push(del(paramsKey(at)))
    } else {
      const kept = infos.loadParamsInfo(db, at)
      if (kept === undefined || infos.isEmptyParams(kept.consensusParams)) ops.push(wholeParams(db, at))
    }
    ops.push(del(responseKey(at)))
    if ((to - at) % BATCH === 0) {
      yield ops
      ops = []
    }
  }
  yield ops
}

function wholeValidators(db: KeyValueStore, height: number): Op {
  const info: ValidatorsInfo = { validatorSet: infos.loadValidators(db, height), lastHeightChanged: height }
  return put(validatorsKey(height), ValidatorsInfo.encode(info))
}

function wholeParams(db: KeyValueStore, height: number): Op {
  const info: ConsensusParamsInfo = { consensusParams: infos.loadParams(db, height), lastHeightChanged: height }
  return put(paramsKey(height), ConsensusParamsInfo.encode(info))
}
