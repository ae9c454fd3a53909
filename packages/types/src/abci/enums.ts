export const CheckTxType = { new: 0, recheck: 1 } as const
export type CheckTxType = (typeof CheckTxType)[keyof typeof CheckTxType]

export const OfferSnapshotResult = {
  unknown: 0,
  accept: 1,
  abort: 2,
  reject: 3,
  rejectFormat: 4,
  rejectSender: 5,
} as const
export type OfferSnapshotResult = (typeof OfferSnapshotResult)[keyof typeof OfferSnapshotResult]

export const ApplySnapshotChunkResult = {
  unknown: 0,
  accept: 1,
  abort: 2,
  retry: 3,
  retrySnapshot: 4,
  rejectSnapshot: 5,
} as const
export type ApplySnapshotChunkResult = (typeof ApplySnapshotChunkResult)[keyof typeof ApplySnapshotChunkResult]

export const ProposalStatus = { unknown: 0, accept: 1, reject: 2 } as const
export type ProposalStatus = (typeof ProposalStatus)[keyof typeof ProposalStatus]

export const VerifyStatus = { unknown: 0, accept: 1, reject: 2 } as const
export type VerifyStatus = (typeof VerifyStatus)[keyof typeof VerifyStatus]

export const MisbehaviorType = { unknown: 0, duplicateVote: 1, lightClientAttack: 2 } as const
export type MisbehaviorType = (typeof MisbehaviorType)[keyof typeof MisbehaviorType]
