import type { BlockIdFlag } from '../block/id.ts'
import { ProtoPublicKey } from '../crypto/public-key.ts'
import {
  bool,
  bytes,
  enumeration,
  type FieldOptions,
  field,
  type Infer,
  int32,
  int64,
  message,
  repeated,
  safeInt64,
  safeUint64,
  string,
  time,
  uint32,
} from '../schema/index.ts'
import type { MisbehaviorType } from './enums.ts'

/**
 * The reference writes these types to JSON in two ways: by reflection with Go's tags (names in snake case, without
 * zeros), or by jsonpb, which shows all fields. The surrounding message decides which.
 */
/** A zero is left out. */
export const OMIT: FieldOptions = { jsonEmpty: 'omit' }
/** A list that Go would have as nil is left out. */
export const OMIT_NIL: FieldOptions = { jsonNil: 'omit' }
/** A list, or bytes, that is `null` where Go would have nil. */
export const NULL_NIL: FieldOptions = { jsonNil: 'null' }

/** tendermint.abci.EventAttribute */
export const EventAttribute = message('tendermint.abci.EventAttribute', {
  key: field(1, string),
  value: field(2, string),
  index: field(3, bool),
})
export type EventAttribute = Infer<typeof EventAttribute>

/** tendermint.abci.Event */
export const Event = message('tendermint.abci.Event', {
  type: field(1, string, OMIT),
  attributes: repeated(2, EventAttribute, OMIT_NIL),
})
export type Event = Infer<typeof Event>

/** {@link Event} with the JSON of jsonpb. */
export const FullEvent = message('tendermint.abci.Event', {
  type: field(1, string),
  attributes: repeated(2, EventAttribute),
})

/** tendermint.abci.ExecTxResult: the result of a transaction in a block. JSON shows all fields. */
export const ExecTxResult = message('tendermint.abci.ExecTxResult', {
  code: field(1, uint32),
  data: field(2, bytes, NULL_NIL),
  log: field(3, string),
  info: field(4, string),
  gasWanted: field(5, int64),
  gasUsed: field(6, int64),
  events: repeated(7, FullEvent),
  codespace: field(8, string),
})
export type ExecTxResult = Infer<typeof ExecTxResult>

/** {@link ExecTxResult} with zeros left out in JSON, as inside a {@link TxResult}. */
const SparseExecTxResult = message('tendermint.abci.ExecTxResult', {
  code: field(1, uint32, OMIT),
  data: field(2, bytes, OMIT),
  log: field(3, string, OMIT),
  info: field(4, string, OMIT),
  gasWanted: field(5, int64, OMIT),
  gasUsed: field(6, int64, OMIT),
  events: repeated(7, Event, OMIT_NIL),
  codespace: field(8, string, OMIT),
})

/** tendermint.abci.TxResult: a transaction, its place and its result; the record of the transaction index. */
export const TxResult = message('tendermint.abci.TxResult', {
  height: field(1, safeInt64, OMIT),
  index: field(2, uint32, OMIT),
  tx: field(3, bytes, OMIT),
  result: field(4, SparseExecTxResult),
})
export type TxResult = Infer<typeof TxResult>

/** tendermint.abci.Validator: an address and its voting power. */
export const Validator = message('tendermint.abci.Validator', {
  address: field(1, bytes, OMIT),
  power: field(3, int64, OMIT),
})
export type Validator = Infer<typeof Validator>

/** tendermint.abci.ValidatorUpdate; power 0 removes. */
export const ValidatorUpdate = message('tendermint.abci.ValidatorUpdate', {
  pubKey: field(1, ProtoPublicKey),
  power: field(2, int64, OMIT),
})
export type ValidatorUpdate = Infer<typeof ValidatorUpdate>

/** tendermint.abci.VoteInfo */
export const VoteInfo = message('tendermint.abci.VoteInfo', {
  validator: field(1, Validator),
  blockIdFlag: field(3, enumeration<BlockIdFlag>(), OMIT),
})
export type VoteInfo = Infer<typeof VoteInfo>

/** tendermint.abci.ExtendedVoteInfo */
export const ExtendedVoteInfo = message('tendermint.abci.ExtendedVoteInfo', {
  validator: field(1, Validator),
  voteExtension: field(3, bytes, OMIT),
  extensionSignature: field(4, bytes, OMIT),
  blockIdFlag: field(5, enumeration<BlockIdFlag>(), OMIT),
})
export type ExtendedVoteInfo = Infer<typeof ExtendedVoteInfo>

/** tendermint.abci.CommitInfo */
export const CommitInfo = message('tendermint.abci.CommitInfo', {
  round: field(1, int32, OMIT),
  votes: repeated(2, VoteInfo, NULL_NIL),
})
export type CommitInfo = Infer<typeof CommitInfo>

/** tendermint.abci.ExtendedCommitInfo */
export const ExtendedCommitInfo = message('tendermint.abci.ExtendedCommitInfo', {
  round: field(1, int32, OMIT),
  votes: repeated(2, ExtendedVoteInfo, NULL_NIL),
})
export type ExtendedCommitInfo = Infer<typeof ExtendedCommitInfo>

/** tendermint.abci.Misbehavior: evidence in the form for the application. */
export const Misbehavior = message('tendermint.abci.Misbehavior', {
  type: field(1, enumeration<MisbehaviorType>(), OMIT),
  validator: field(2, Validator),
  height: field(3, safeInt64, OMIT),
  time: field(4, time),
  totalVotingPower: field(5, int64, OMIT),
})
export type Misbehavior = Infer<typeof Misbehavior>

/** tendermint.abci.Snapshot */
export const Snapshot = message('tendermint.abci.Snapshot', {
  height: field(1, safeUint64, OMIT),
  format: field(2, uint32, OMIT),
  chunks: field(3, uint32, OMIT),
  hash: field(4, bytes, OMIT),
  metadata: field(5, bytes, OMIT),
})
export type Snapshot = Infer<typeof Snapshot>
