import {
  duration,
  type FieldOptions,
  field,
  type Infer,
  int64,
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

/** tendermint.types.BlockParams: limits of a block in bytes (-1: the greatest possible) and gas (-1: none). */
export const BlockParams = message('tendermint.types.BlockParams', blockShape({}))
export type BlockParams = Infer<typeof BlockParams>

/** tendermint.types.EvidenceParams: how old evidence may be (in blocks, and nanoseconds), and its bytes in a block. */
export const EvidenceParams = message('tendermint.types.EvidenceParams', evidenceShape({}))
export type EvidenceParams = Infer<typeof EvidenceParams>

/** tendermint.types.ValidatorParams: the key types that validators may have, `ed25519` or `secp256k1`. */
export const ValidatorParams = message('tendermint.types.ValidatorParams', validatorShape({ jsonNil: 'null' }))
export type ValidatorParams = Infer<typeof ValidatorParams>

/** tendermint.types.VersionParams: the version of the application. */
export const VersionParams = message('tendermint.types.VersionParams', versionShape({}))
export type VersionParams = Infer<typeof VersionParams>

/** tendermint.types.ABCIParams: the first height with vote extensions, or 0. */
export const AbciParams = message('tendermint.types.ABCIParams', abciShape({}))
export type AbciParams = Infer<typeof AbciParams>

/** tendermint.types.ConsensusParams, complete: an absent group is read as its zero. */
export const ConsensusParams = message('tendermint.types.ConsensusParams', {
  block: field(1, BlockParams),
  evidence: field(2, EvidenceParams),
  validator: field(3, ValidatorParams),
  version: field(4, VersionParams),
  abci: field(5, AbciParams),
})
export type ConsensusParams = Infer<typeof ConsensusParams>

const omit: FieldOptions = { jsonEmpty: 'omit' }

/** tendermint.types.ConsensusParams as applications send it: an absent group stays as it is. A full one is one too. */
export const ConsensusParamsUpdate = message('tendermint.types.ConsensusParams', {
  block: optional(1, message('tendermint.types.BlockParams', blockShape(omit)), omit),
  evidence: optional(2, message('tendermint.types.EvidenceParams', evidenceShape(omit)), omit),
  validator: optional(3, message('tendermint.types.ValidatorParams', validatorShape(omit)), omit),
  version: optional(4, message('tendermint.types.VersionParams', versionShape(omit)), omit),
  abci: optional(5, message('tendermint.types.ABCIParams', abciShape(omit)), omit),
})
export type ConsensusParamsUpdate = Infer<typeof ConsensusParamsUpdate>

/** tendermint.types.HashedParams: what a header's consensus hash is made of. */
export const HashedParams = message('tendermint.types.HashedParams', {
  blockMaxBytes: field(1, int64),
  blockMaxGas: field(2, int64),
})
export type HashedParams = Infer<typeof HashedParams>
