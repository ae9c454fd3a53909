import { BlockId, type BlockIdFlag } from '../block-id/id.ts'
import {
  byteEnumeration,
  bytes,
  field,
  hexBytes,
  type Infer,
  int32,
  type MessageSchema,
  message,
  repeated,
  safeInt64,
  time,
} from '../schema/index.ts'

const signature = {
  blockIdFlag: field(1, byteEnumeration<BlockIdFlag>()),
  validatorAddress: field(2, hexBytes),
  timestamp: field(3, time),
  signature: field(4, bytes, { jsonEmpty: 'null' }),
}

const head = {
  height: field(1, safeInt64),
  round: field(2, int32),
  blockId: field(3, BlockId),
}

const commitSigSchema = message('tendermint.types.CommitSig', signature)
/** tendermint.types.CommitSig: one validator's precommit in a commit, or its absence. */
export interface CommitSig extends Infer<typeof commitSigSchema> {}
export const CommitSig: MessageSchema<CommitSig> = commitSigSchema

const commitSchema = message('tendermint.types.Commit', {
  ...head,
  signatures: repeated(4, CommitSig),
})
/** tendermint.types.Commit: the precommits that committed a block, in the order of the validator set. */
export interface Commit extends Infer<typeof commitSchema> {}
export const Commit: MessageSchema<Commit> = commitSchema

const extendedCommitSigSchema = message('tendermint.types.ExtendedCommitSig', {
  ...signature,
  extension: field(5, bytes, { jsonEmpty: 'null' }),
  extensionSignature: field(6, bytes, { jsonEmpty: 'null' }),
})
/** tendermint.types.ExtendedCommitSig: a {@link CommitSig} with its vote extension. */
export interface ExtendedCommitSig extends Infer<typeof extendedCommitSigSchema> {}
export const ExtendedCommitSig: MessageSchema<ExtendedCommitSig> = extendedCommitSigSchema

const extendedCommitSchema = message('tendermint.types.ExtendedCommit', {
  ...head,
  extendedSignatures: repeated(4, ExtendedCommitSig),
})
/** tendermint.types.ExtendedCommit: a commit with the vote extensions. It is not a part of the chain. */
export interface ExtendedCommit extends Infer<typeof extendedCommitSchema> {}
export const ExtendedCommit: MessageSchema<ExtendedCommit> = extendedCommitSchema
