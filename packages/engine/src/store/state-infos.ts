import {
  ConsensusParams,
  ConsensusParamsInfo,
  type ConsensusParamsUpdate,
  copyIncrementProposerPriority,
  type ValidatorSet,
  ValidatorsInfo,
} from '@org/types'
import { STORE_ERRORS, StoreError } from './errors.ts'
import { type KeyValueStore, type Op, put } from './kv/index.ts'
import { readMessage } from './records.ts'
import { paramsKey, validatorsKey } from './state-keys.ts'

/**
 * The whole validator set is stored at every height that is a multiple of this number, and at some other heights. So a
 * rotation never has more steps than this.
 */
export const VALIDATOR_CHECKPOINT_INTERVAL = 100_000

/**
 * Returns the greatest height, up to `height`, for which a whole validator set is stored. `lastHeightChanged` is the
 * height of the last change of the validators.
 */
export function lastStoredHeight(height: number, lastHeightChanged: number): number {
  return Math.max(height - (height % VALIDATOR_CHECKPOINT_INTERVAL), lastHeightChanged)
}

export function notFound(what: string, height: number, detail = ''): StoreError {
  return new StoreError(STORE_ERRORS.notFound, `could not find ${what} for height #${height}${detail}`, {
    data: { height },
  })
}

export const loadValidatorsInfo = (db: KeyValueStore, height: number): ValidatorsInfo | undefined =>
  readMessage(db, validatorsKey(height), ValidatorsInfo)

/**
 * Returns the validator set of a height from a cache. The record of this height must contain the whole set, and not
 * only refer to an earlier height. If the set is not in the cache, `read` is called to load it.
 */
export type WholeSets = (height: number, read: () => ValidatorSet | undefined) => ValidatorSet | undefined

/**
 * Loads the validators of `height` with their powers. Their priorities are those of the height `stored`, for which the
 * whole set is stored.
 */
export function loadWholeSet(
  db: KeyValueStore,
  height: number,
  wholeSets: WholeSets = (_, read) => read(),
): { readonly set: ValidatorSet; readonly stored: number } {
  const info = loadValidatorsInfo(db, height)
  if (info === undefined) throw notFound('validator set', height)
  if (info.validatorSet !== undefined) return { set: info.validatorSet, stored: height }
  const stored = lastStoredHeight(height, info.lastHeightChanged)
  const set = wholeSets(stored, () => loadValidatorsInfo(db, stored)?.validatorSet)
  if (set === undefined) {
    const message = `couldn't find validators at height ${stored} (height ${height} was originally requested)`
    throw new StoreError(STORE_ERRORS.notFound, message, { data: { height, stored } })
  }
  return { set, stored }
}

/**
 * Loads the validator set that signs the block of `height`. If the set was stored for an earlier height, it is rotated
 * to `height`.
 */
export function loadValidators(db: KeyValueStore, height: number): ValidatorSet {
  const { set, stored } = loadWholeSet(db, height)
  return stored === height ? set : copyIncrementProposerPriority(set, height - stored)
}

export interface ValidatorsRecord {
  readonly height: number
  readonly lastHeightChanged: number
  readonly validators: ValidatorSet
}

export function saveValidatorsOp({ height, lastHeightChanged, validators }: ValidatorsRecord): Op {
  if (lastHeightChanged > height) {
    const message = `validators of height ${height} cannot have changed at ${lastHeightChanged}`
    throw new StoreError(STORE_ERRORS.invalid, message, { data: { height, lastHeightChanged } })
  }
  const isComplete = height === lastHeightChanged || height % VALIDATOR_CHECKPOINT_INTERVAL === 0
  const info: ValidatorsInfo = { validatorSet: isComplete ? validators : undefined, lastHeightChanged }
  return put(validatorsKey(height), ValidatorsInfo.encode(info))
}

export const loadParamsInfo = (db: KeyValueStore, height: number): ConsensusParamsInfo | undefined =>
  readMessage(db, paramsKey(height), ConsensusParamsInfo)

/** Returns true if a record has no parameters. Such a record only refers to the height whose record has them. */
export function isEmptyParams({ block, evidence, validator, version, abci }: ConsensusParamsUpdate): boolean {
  return [block, evidence, validator, version, abci].every((group) => group === undefined)
}

export function loadParams(db: KeyValueStore, height: number): ConsensusParams {
  const empty = ': value retrieved from db is empty'
  let info = loadParamsInfo(db, height)
  if (info === undefined) throw notFound('consensus params', height, empty)
  if (isEmptyParams(info.consensusParams)) {
    const changed = info.lastHeightChanged
    info = loadParamsInfo(db, changed)
    if (info === undefined) {
      const message = `couldn't find consensus params at height ${changed} as last changed from height ${height}${empty}`
      throw new StoreError(STORE_ERRORS.notFound, message, { data: { height, changed } })
    }
  }
  const { block, evidence, validator, version, abci } = info.consensusParams
  return ConsensusParams.create({
    ...(block && { block }),
    ...(evidence && { evidence }),
    ...(validator && { validator }),
    ...(version && { version }),
    ...(abci && { abci }),
  })
}

export function saveParamsOp(height: number, lastHeightChanged: number, params: ConsensusParams): Op {
  const consensusParams: ConsensusParamsUpdate =
    lastHeightChanged === height
      ? params
      : { block: undefined, evidence: undefined, validator: undefined, version: undefined, abci: undefined }
  return put(paramsKey(height), ConsensusParamsInfo.encode({ consensusParams, lastHeightChanged }))
}
