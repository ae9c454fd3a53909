import type { BlockIdFlag } from '../block-id/id.ts'
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
  type MessageSchema,
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
 * zeros), or by jsonpb, which shows all fields. The outer message decides which of the two ways the reference uses, so
 * some types have two schemas.
 */
/** The options for a field that is left out of the JSON if its value is zero. */
export const OMIT: FieldOptions = { jsonEmpty: 'omit' }
/** The options for a list field that is left out of the JSON if the list is nil in Go. */
export const OMIT_NIL: FieldOptions = { jsonNil: 'omit' }
/** The options for a list field or bytes field that is `null` in the JSON if its value is nil in Go. */
export const NULL_NIL: FieldOptions = { jsonNil: 'null' }

const eventAttributeSchema = message('tendermint.abci.EventAttribute', {
  key: field(1, string),
  value: field(2, string),
  index: field(3, bool),
})
/**
 * tendermint.abci.EventAttribute: a key and a value of an event. Searches can find the event by an attribute only if
 * `index` of this attribute is true. Subscriptions can find the event by every attribute.
 */
export interface EventAttribute extends Infer<typeof eventAttributeSchema> {}
export const EventAttribute: MessageSchema<EventAttribute> = eventAttributeSchema

const eventSchema = message('tendermint.abci.Event', {
  type: field(1, string, OMIT),
  attributes: repeated(2, EventAttribute, OMIT_NIL),
})
/** tendermint.abci.Event: what an application reports about a transaction or a block, as a type and attributes. */
export interface Event extends Infer<typeof eventSchema> {}
export const Event: MessageSchema<Event> = eventSchema

/** {@link Event} with the JSON of jsonpb. */
export const FullEvent = message('tendermint.abci.Event', {
  type: field(1, string),
  attributes: repeated(2, EventAttribute),
})

const execTxResultSchema = message('tendermint.abci.ExecTxResult', {
  code: field(1, uint32),
  data: field(2, bytes, NULL_NIL),
  log: field(3, string),
  info: field(4, string),
  gasWanted: field(5, int64),
  gasUsed: field(6, int64),
  events: repeated(7, FullEvent),
  codespace: field(8, string),
})
/** tendermint.abci.ExecTxResult: the result of a transaction in a block. JSON shows all fields. */
export interface ExecTxResult extends Infer<typeof execTxResultSchema> {}
export const ExecTxResult: MessageSchema<ExecTxResult> = execTxResultSchema

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

const txResultSchema = message('tendermint.abci.TxResult', {
  height: field(1, safeInt64, OMIT),
  index: field(2, uint32, OMIT),
  tx: field(3, bytes, OMIT),
  result: field(4, SparseExecTxResult),
})
/** tendermint.abci.TxResult: a transaction with its height, index and result. The transaction index stores it. */
export interface TxResult extends Infer<typeof txResultSchema> {}
export const TxResult: MessageSchema<TxResult> = txResultSchema

const validatorSchema = message('tendermint.abci.Validator', {
  address: field(1, bytes, OMIT),
  power: field(3, int64, OMIT),
})
/** tendermint.abci.Validator: an address and its voting power. */
export interface Validator extends Infer<typeof validatorSchema> {}
export const Validator: MessageSchema<Validator> = validatorSchema

const validatorUpdateSchema = message('tendermint.abci.ValidatorUpdate', {
  pubKey: field(1, ProtoPublicKey),
  power: field(2, int64, OMIT),
})
/** tendermint.abci.ValidatorUpdate: a key and its new voting power. Power 0 removes the validator. */
export interface ValidatorUpdate extends Infer<typeof validatorUpdateSchema> {}
export const ValidatorUpdate: MessageSchema<ValidatorUpdate> = validatorUpdateSchema

const voteInfoSchema = message('tendermint.abci.VoteInfo', {
  validator: field(1, Validator),
  blockIdFlag: field(3, enumeration<BlockIdFlag>(), OMIT),
})
/** tendermint.abci.VoteInfo: a validator, and whether it signed the last block. */
export interface VoteInfo extends Infer<typeof voteInfoSchema> {}
export const VoteInfo: MessageSchema<VoteInfo> = voteInfoSchema

const extendedVoteInfoSchema = message('tendermint.abci.ExtendedVoteInfo', {
  validator: field(1, Validator),
  voteExtension: field(3, bytes, OMIT),
  extensionSignature: field(4, bytes, OMIT),
  blockIdFlag: field(5, enumeration<BlockIdFlag>(), OMIT),
})
/** tendermint.abci.ExtendedVoteInfo: a {@link VoteInfo} with the validator's vote extension. */
export interface ExtendedVoteInfo extends Infer<typeof extendedVoteInfoSchema> {}
export const ExtendedVoteInfo: MessageSchema<ExtendedVoteInfo> = extendedVoteInfoSchema

const commitInfoSchema = message('tendermint.abci.CommitInfo', {
  round: field(1, int32, OMIT),
  votes: repeated(2, VoteInfo, NULL_NIL),
})
/** tendermint.abci.CommitInfo: the round of a commit, and one entry per validator. */
export interface CommitInfo extends Infer<typeof commitInfoSchema> {}
export const CommitInfo: MessageSchema<CommitInfo> = commitInfoSchema

const extendedCommitInfoSchema = message('tendermint.abci.ExtendedCommitInfo', {
  round: field(1, int32, OMIT),
  votes: repeated(2, ExtendedVoteInfo, NULL_NIL),
})
/** tendermint.abci.ExtendedCommitInfo: a {@link CommitInfo} with the vote extensions. */
export interface ExtendedCommitInfo extends Infer<typeof extendedCommitInfoSchema> {}
export const ExtendedCommitInfo: MessageSchema<ExtendedCommitInfo> = extendedCommitInfoSchema

const misbehaviorSchema = message('tendermint.abci.Misbehavior', {
  type: field(1, enumeration<MisbehaviorType>(), OMIT),
  validator: field(2, Validator),
  height: field(3, safeInt64, OMIT),
  time: field(4, time),
  totalVotingPower: field(5, int64, OMIT),
})
/** tendermint.abci.Misbehavior: evidence in the form that the application receives. */
export interface Misbehavior extends Infer<typeof misbehaviorSchema> {}
export const Misbehavior: MessageSchema<Misbehavior> = misbehaviorSchema

const snapshotSchema = message('tendermint.abci.Snapshot', {
  height: field(1, safeUint64, OMIT),
  format: field(2, uint32, OMIT),
  chunks: field(3, uint32, OMIT),
  hash: field(4, bytes, OMIT),
  metadata: field(5, bytes, OMIT),
})
/** tendermint.abci.Snapshot: the description of a snapshot, without its chunks. */
export interface Snapshot extends Infer<typeof snapshotSchema> {}
export const Snapshot: MessageSchema<Snapshot> = snapshotSchema
