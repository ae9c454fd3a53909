/** The kinds of CheckTx: a new transaction, or a check again after a block. */
export const CheckTxType = { new: 0, recheck: 1 } as const
export type CheckTxType = (typeof CheckTxType)[keyof typeof CheckTxType]

/** The answers of an application to the offer of a snapshot, as numbers of ABCI. */
export const OfferSnapshotResult = {
  unknown: 0,
  accept: 1,
  abort: 2,
  reject: 3,
  rejectFormat: 4,
  rejectSender: 5,
} as const
export type OfferSnapshotResult = (typeof OfferSnapshotResult)[keyof typeof OfferSnapshotResult]

/** The answers of an application to a chunk of a snapshot, as numbers of ABCI. */
export const ApplySnapshotChunkResult = {
  unknown: 0,
  accept: 1,
  abort: 2,
  retry: 3,
  retrySnapshot: 4,
  rejectSnapshot: 5,
} as const
export type ApplySnapshotChunkResult = (typeof ApplySnapshotChunkResult)[keyof typeof ApplySnapshotChunkResult]

/** The answers of an application to ProcessProposal, as numbers of ABCI. */
export const ProposalStatus = { unknown: 0, accept: 1, reject: 2 } as const
export type ProposalStatus = (typeof ProposalStatus)[keyof typeof ProposalStatus]

/** The answers of an application to VerifyVoteExtension, as numbers of ABCI. */
export const VerifyStatus = { unknown: 0, accept: 1, reject: 2 } as const
export type VerifyStatus = (typeof VerifyStatus)[keyof typeof VerifyStatus]

/** The kinds of misbehaviour of validators that a block reports to the application. */
export const MisbehaviorType = { unknown: 0, duplicateVote: 1, lightClientAttack: 2 } as const
export type MisbehaviorType = (typeof MisbehaviorType)[keyof typeof MisbehaviorType]
