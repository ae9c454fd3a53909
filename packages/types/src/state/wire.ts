import { Event, ExecTxResult, ValidatorUpdate } from '../abci/common.ts'
import { ResponseFinalizeBlock } from '../abci/response.ts'
import { BlockId } from '../block-id/id.ts'
import { ConsensusParams, ConsensusParamsUpdate } from '../params/wire.ts'
import { field, hexBytes, type Infer, message, optional, repeated, safeInt64, string, time } from '../schema/index.ts'
import { NonEmptyValidatorSet, ValidatorSet } from '../validators/wire.ts'
import { ConsensusVersion } from '../version/wire.ts'

/** tendermint.state.Version: protocol versions, and the version of the software that wrote the state. */
export const Version = message('tendermint.state.Version', {
  consensus: field(1, ConsensusVersion),
  software: field(2, string),
})
export type Version = Infer<typeof Version>

/**
 * tendermint.state.State: the state from which the next block is made. Before the first block, `lastBlockHeight` is 0,
 * and `lastValidators` is empty and is not written.
 */
export const State = message('tendermint.state.State', {
  version: field(1, Version),
  chainId: field(2, string),
  initialHeight: field(14, safeInt64),
  lastBlockHeight: field(3, safeInt64),
  lastBlockId: field(4, BlockId),
  lastBlockTime: field(5, time),
  nextValidators: field(6, ValidatorSet),
  validators: field(7, ValidatorSet),
  lastValidators: field(8, NonEmptyValidatorSet),
  lastHeightValidatorsChanged: field(9, safeInt64),
  consensusParams: field(10, ConsensusParams),
  lastHeightConsensusParamsChanged: field(11, safeInt64),
  lastResultsHash: field(12, hexBytes),
  appHash: field(13, hexBytes),
})
export type State = Infer<typeof State>

/**
 * tendermint.state.ValidatorsInfo: the record of a height, for its validator set. The record contains the set if the
 * set changed at this height, or if the height is a checkpoint (a multiple of 100,000). Otherwise an earlier record
 * contains the set. `lastHeightChanged` is the height at which the set last changed. If there are checkpoints between
 * `lastHeightChanged` and this height, the record of the last of these checkpoints contains the set. If there are no
 * such checkpoints, the record of `lastHeightChanged` contains the set.
 */
export const ValidatorsInfo = message('tendermint.state.ValidatorsInfo', {
  validatorSet: optional(1, ValidatorSet),
  lastHeightChanged: field(2, safeInt64),
})
export type ValidatorsInfo = Infer<typeof ValidatorsInfo>

/**
 * tendermint.state.ConsensusParamsInfo: the record of a height, for its consensus params. The record contains the
 * params if they changed at this height. Otherwise all params in this record are zero. Then the params are in the
 * record of `lastHeightChanged`, the height at which they last changed.
 */
export const ConsensusParamsInfo = message('tendermint.state.ConsensusParamsInfo', {
  consensusParams: field(1, ConsensusParamsUpdate),
  lastHeightChanged: field(2, safeInt64),
})
export type ConsensusParamsInfo = Infer<typeof ConsensusParamsInfo>

/** tendermint.state.ResponseBeginBlock: the application's response to BeginBlock, a method of ABCI before v0.38. */
export const ResponseBeginBlock = message('tendermint.state.ResponseBeginBlock', {
  events: repeated(1, Event, { jsonNil: 'omit' }),
})
export type ResponseBeginBlock = Infer<typeof ResponseBeginBlock>

/** tendermint.state.ResponseEndBlock: the application's response to EndBlock, a method of ABCI before v0.38. */
export const ResponseEndBlock = message('tendermint.state.ResponseEndBlock', {
  validatorUpdates: repeated(1, ValidatorUpdate, { jsonNil: 'null' }),
  consensusParamUpdates: optional(2, ConsensusParamsUpdate, { jsonEmpty: 'omit' }),
  events: repeated(3, Event, { jsonNil: 'omit' }),
})
export type ResponseEndBlock = Infer<typeof ResponseEndBlock>

/**
 * tendermint.state.LegacyABCIResponses: the application's responses to a block, as versions before v0.38 stored them.
 */
export const LegacyAbciResponses = message('tendermint.state.LegacyABCIResponses', {
  deliverTxs: repeated(1, ExecTxResult),
  endBlock: optional(2, ResponseEndBlock),
  beginBlock: optional(3, ResponseBeginBlock),
})
export type LegacyAbciResponses = Infer<typeof LegacyAbciResponses>

/** tendermint.state.ABCIResponsesInfo: the application's responses to a block. */
export const AbciResponsesInfo = message('tendermint.state.ABCIResponsesInfo', {
  legacyAbciResponses: optional(1, LegacyAbciResponses),
  height: field(2, safeInt64),
  responseFinalizeBlock: optional(3, ResponseFinalizeBlock),
})
export type AbciResponsesInfo = Infer<typeof AbciResponsesInfo>
