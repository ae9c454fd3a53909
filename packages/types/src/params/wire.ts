import {
  duration,
  type FieldOptions,
  field,
  type Infer,
  int64,
  type MessageSchema,
  message,
  optional,
  repeated,
  safeInt64,
  string,
  uint64,
} from '../schema/index.ts'

const blockShape = (zero: FieldOptions) => ({
  maxBytes: field(1, int64, zero),
  maxGas: field(2, int64, zero),
})
const evidenceShape = (zero: FieldOptions) => ({
  maxAgeNumBlocks: field(1, int64, zero),
  maxAgeDuration: field(2, duration),
  maxBytes: field(3, int64, zero),
})
const validatorShape = (zero: FieldOptions) => ({ pubKeyTypes: repeated(1, string, zero) })
const versionShape = (zero: FieldOptions) => ({ app: field(1, uint64, zero) })
const abciShape = (zero: FieldOptions) => ({ voteExtensionsEnableHeight: field(1, safeInt64, zero) })

const blockParamsSchema = message('tendermint.types.BlockParams', blockShape({}))
/**
 * tendermint.types.BlockParams: the limits of a block in bytes (-1: the greatest possible limit) and in gas (-1: no
 * limit).
 */
export interface BlockParams extends Infer<typeof blockParamsSchema> {}
export const BlockParams: MessageSchema<BlockParams> = blockParamsSchema

const evidenceParamsSchema = message('tendermint.types.EvidenceParams', evidenceShape({}))
/**
 * tendermint.types.EvidenceParams: the maximum age of evidence, in blocks and in nanoseconds, and the maximum number of
 * bytes of the evidence in a block.
 */
export interface EvidenceParams extends Infer<typeof evidenceParamsSchema> {}
export const EvidenceParams: MessageSchema<EvidenceParams> = evidenceParamsSchema

const validatorParamsSchema = message('tendermint.types.ValidatorParams', validatorShape({ jsonNil: 'null' }))
/** tendermint.types.ValidatorParams: the key types that validators may have, `ed25519` or `secp256k1`. */
export interface ValidatorParams extends Infer<typeof validatorParamsSchema> {}
export const ValidatorParams: MessageSchema<ValidatorParams> = validatorParamsSchema

const versionParamsSchema = message('tendermint.types.VersionParams', versionShape({}))
/** tendermint.types.VersionParams: the version of the application. */
export interface VersionParams extends Infer<typeof versionParamsSchema> {}
export const VersionParams: MessageSchema<VersionParams> = versionParamsSchema

const abciParamsSchema = message('tendermint.types.ABCIParams', abciShape({}))
/** tendermint.types.ABCIParams: the first height with vote extensions. 0 means that no height has them. */
export interface AbciParams extends Infer<typeof abciParamsSchema> {}
export const AbciParams: MessageSchema<AbciParams> = abciParamsSchema

const consensusParamsSchema = message('tendermint.types.ConsensusParams', {
  block: field(1, BlockParams),
  evidence: field(2, EvidenceParams),
  validator: field(3, ValidatorParams),
  version: field(4, VersionParams),
  abci: field(5, AbciParams),
})
/** tendermint.types.ConsensusParams with all groups. A group that is missing in the message gets its zero value. */
export interface ConsensusParams extends Infer<typeof consensusParamsSchema> {}
export const ConsensusParams: MessageSchema<ConsensusParams> = consensusParamsSchema

const omit: FieldOptions = { jsonEmpty: 'omit' }

const consensusParamsUpdateSchema = message('tendermint.types.ConsensusParams', {
  block: optional(1, message('tendermint.types.BlockParams', blockShape(omit)), omit),
  evidence: optional(2, message('tendermint.types.EvidenceParams', evidenceShape(omit)), omit),
  validator: optional(3, message('tendermint.types.ValidatorParams', validatorShape(omit)), omit),
  version: optional(4, message('tendermint.types.VersionParams', versionShape(omit)), omit),
  abci: optional(5, message('tendermint.types.ABCIParams', abciShape(omit)), omit),
})
/**
 * tendermint.types.ConsensusParams as an update by the application. A group that is missing in the update keeps its
 * current values. Complete params are also valid in this form.
 */
export interface ConsensusParamsUpdate extends Infer<typeof consensusParamsUpdateSchema> {}
export const ConsensusParamsUpdate: MessageSchema<ConsensusParamsUpdate> = consensusParamsUpdateSchema

const hashedParamsSchema = message('tendermint.types.HashedParams', {
  blockMaxBytes: field(1, int64),
  blockMaxGas: field(2, int64),
})
/** tendermint.types.HashedParams: the parameters from which a header's consensus hash is made. */
export interface HashedParams extends Infer<typeof hashedParamsSchema> {}
export const HashedParams: MessageSchema<HashedParams> = hashedParamsSchema
