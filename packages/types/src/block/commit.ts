import {
  byteEnumeration,
  bytes,
  field,
  hexBytes,
  type Infer,
  int32,
  message,
  repeated,
  safeInt64,
  time,
} from '../schema/index.ts'
import { BlockId, type BlockIdFlag } from './id.ts'

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

/** tendermint.types.CommitSig: one validator's precommit in a commit, or its absence. */
export const CommitSig = message('tendermint.types.CommitSig', signature)
export type CommitSig = Infer<typeof CommitSig>

/** tendermint.types.Commit: the precommits that committed a block, in the order of the validator set. */
export const Commit = message('tendermint.types.Commit', {
  ...head,
  signatures: repeated(4, CommitSig),
})
export type Commit = Infer<typeof Commit>

/** tendermint.types.ExtendedCommitSig: a {@link CommitSig} with its vote extension. */
export const ExtendedCommitSig = message('tendermint.types.ExtendedCommitSig', {
  ...signature,
  extension: field(5, bytes, { jsonEmpty: 'null' }),
  extensionSignature: field(6, bytes, { jsonEmpty: 'null' }),
})
export type ExtendedCommitSig = Infer<typeof ExtendedCommitSig>

/** tendermint.types.ExtendedCommit: a commit with the vote extensions, which is not a part of the chain. */
export const ExtendedCommit = message('tendermint.types.ExtendedCommit', {
  ...head,
  extendedSignatures: repeated(4, ExtendedCommitSig),
})
export type ExtendedCommit = Infer<typeof ExtendedCommit>
