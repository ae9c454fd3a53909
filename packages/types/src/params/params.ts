import { sha256 } from '../crypto/hash.ts'
import { isKeyType } from '../crypto/keys.ts'
import { MAX_BLOCK_SIZE_BYTES } from '../parts/size.ts'
import { PARAMS_ERRORS, ParamsError } from './errors.ts'
import { formatDuration } from './format-duration.ts'
import { type ConsensusParams, type ConsensusParamsUpdate, HashedParams } from './wire.ts'

const HOUR = 3_600_000_000_000n

/** Returns the consensus params of a new chain whose genesis contains no consensus params. */
export function defaultConsensusParams(): ConsensusParams {
  return {
    block: { maxBytes: 22_020_096n, maxGas: -1n },
    evidence: { maxAgeNumBlocks: 100_000n, maxAgeDuration: 48n * HOUR, maxBytes: 1_048_576n },
    validator: { pubKeyTypes: ['ed25519'] },
    version: { app: 0n },
    abci: { voteExtensionsEnableHeight: 0 },
  }
}

const invalid = (message: string): ParamsError => new ParamsError(PARAMS_ERRORS.invalid, message)

function validateBlockParams({ maxBytes, maxGas }: ConsensusParams['block']): void {
  if (maxBytes === 0n) throw invalid('block.MaxBytes cannot be 0')
  if (maxBytes < -1n) throw invalid(`block.MaxBytes must be -1 or greater than 0. Got ${maxBytes}`)
  if (maxBytes > BigInt(MAX_BLOCK_SIZE_BYTES)) {
    throw invalid(`block.MaxBytes is too big. ${maxBytes} > ${MAX_BLOCK_SIZE_BYTES}`)
  }
  if (maxGas < -1n) throw invalid(`block.MaxGas must be greater or equal to -1. Got ${maxGas}`)
}

function validateEvidenceParams({ block, evidence }: ConsensusParams): void {
  const { maxAgeNumBlocks, maxAgeDuration, maxBytes } = evidence
  if (maxAgeNumBlocks <= 0n) {
    throw invalid(`evidence.MaxAgeNumBlocks must be greater than 0. Got ${maxAgeNumBlocks}`)
  }
  if (maxAgeDuration <= 0n) {
    throw invalid(`evidence.MaxAgeDuration must be grater than 0 if provided, Got ${formatDuration(maxAgeDuration)}`)
  }
  const maxBlockBytes = block.maxBytes === -1n ? BigInt(MAX_BLOCK_SIZE_BYTES) : block.maxBytes
  if (maxBytes > maxBlockBytes) {
    throw invalid(`evidence.MaxBytesEvidence is greater than upper bound, ${maxBytes} > ${block.maxBytes}`)
  }
  if (maxBytes < 0n) throw invalid(`evidence.MaxBytes must be non negative. Got: ${maxBytes}`)
}

/** Throws {@link ParamsError} on a value outside its limits. */
export function validateConsensusParams(params: ConsensusParams): void {
  validateBlockParams(params.block)
  validateEvidenceParams(params)
  const { voteExtensionsEnableHeight } = params.abci
  if (voteExtensionsEnableHeight < 0) {
    throw invalid(`ABCI.VoteExtensionsEnableHeight cannot be negative. Got: ${voteExtensionsEnableHeight}`)
  }
  const { pubKeyTypes } = params.validator
  if (pubKeyTypes.length === 0) throw invalid('len(Validator.PubKeyTypes) must be greater than 0')
  for (const [index, type] of pubKeyTypes.entries()) {
    if (!isKeyType(type)) throw invalid(`params.Validator.PubKeyTypes[${index}], ${type}, is an unknown pubkey type`)
  }
}

/** True if validators may have keys of this type. */
export function isPubKeyTypeAllowed(params: ConsensusParams, type: string): boolean {
  return params.validator.pubKeyTypes.includes(type)
}

/** True if votes for blocks carry extensions at `height`. Throws {@link ParamsError} if `height` is below 1. */
export function voteExtensionsEnabled(params: ConsensusParams, height: number): boolean {
  if (height < 1) {
    const message = `cannot check if vote extensions enabled for height ${height} (< 1)`
    throw new ParamsError(PARAMS_ERRORS.invalid, message)
  }
  const { voteExtensionsEnableHeight } = params.abci
  return voteExtensionsEnableHeight !== 0 && voteExtensionsEnableHeight <= height
}

/**
 * Checks an update of the height at which vote extensions begin (`voteExtensionsEnableHeight`). The update is made at
 * `height`. The value 0 means that votes have no extensions. Throws {@link ParamsError} in three cases. First, the new
 * value is negative. Second, the value changes after vote extensions have begun. Third, the value changes to a height
 * that is `height` or lower, but not 0.
 */
export function validateParamsUpdate(
  params: ConsensusParams,
  update: ConsensusParamsUpdate | undefined,
  height: number,
): void {
  if (update?.abci === undefined) return
  const [now, next] = [params.abci.voteExtensionsEnableHeight, update.abci.voteExtensionsEnableHeight]
  const refused = (message: string): ParamsError => new ParamsError(PARAMS_ERRORS.update, message)
  if (next < 0) throw refused('VoteExtensionsEnableHeight must be positive')
  if ((now <= 0 && next === 0) || now === next) return
  if (next === 0) {
    if (now > height) return
    // As in the reference, this text and the last text of this function have no blank after `enabled`.
    throw refused(`vote extensions cannot be disabled once enabledold enable height: ${now}, current height ${height}`)
  }
  if (next <= height) {
    throw refused(
      `vote extensions cannot be updated to a past or current height, enable height: ${next}, current height ${height}`,
    )
  }
  if (now > 0 && now <= height) {
    throw refused(`vote extensions cannot be modified once enabledenable height: ${now}, current height ${height}`)
  }
}

/** Returns the params after an application's update. Each group in the update replaces the same group of the params. */
export function updateConsensusParams(
  params: ConsensusParams,
  update: ConsensusParamsUpdate | undefined,
): ConsensusParams {
  if (update === undefined) return params
  return {
    block: update.block ?? params.block,
    evidence: update.evidence ?? params.evidence,
    validator: update.validator ?? params.validator,
    version: update.version ?? params.version,
    abci: update.abci ?? params.abci,
  }
}

/**
 * Returns a header's consensus hash. The hash covers only the limits of a block, so that other params can be added
 * without a new block format.
 */
export function hashConsensusParams({ block }: ConsensusParams): Uint8Array {
  return sha256(HashedParams.encode({ blockMaxBytes: block.maxBytes, blockMaxGas: block.maxGas }))
}
