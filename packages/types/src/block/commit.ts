import {
  bytes,
  enumeration,
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
  blockIdFlag: field(1, enumeration<BlockIdFlag>()),
  validatorAddress: field(2, hexBytes),
  timestamp: field(3, time),
  signature: field(4, bytes, { jsonEmpty: 'null' }),
}
const head = {
  height: field(1, safeInt64),
  round: field(2, int32),
  blockId: field(3, BlockId),
}

/** tendermint.types.CommitSig: a validator's precommit in a commit. */
export const CommitSig = message('tendermint.types.CommitSig', signature)
export type CommitSig = Infer<typeof CommitSig>

/** tendermint.types.Commit: the precommits that committed a block, in the order of the validator set. */
export const Commit = message('tendermint.types.Commit', {
  ...head,
  signatures: repeated(4, CommitSig, { jsonEmpty: 'null' }),
})
export type Commit = Infer<typeof Commit>

/** tendermint.types.ExtendedCommitSig: a {@link CommitSig} with its vote extension. */
export const ExtendedCommitSig = message('tendermint.types.ExtendedCommitSig', {
  ...signature,
  extension: field(5, bytes, { jsonEmpty: 'null' }),
  extensionSignature: field(6, bytes, { jsonEmpty: 'null' }),
})
export type ExtendedCommitSig = Infer<typeof ExtendedCommitSig>

/** tendermint.types.ExtendedCommit: a commit that keeps the vote extensions. */
export const ExtendedCommit = message('tendermint.types.ExtendedCommit', {
  ...head,
  extendedSignatures: repeated(4, ExtendedCommitSig, { jsonEmpty: 'null' }),
})
export type ExtendedCommit = Infer<typeof ExtendedCommit>
