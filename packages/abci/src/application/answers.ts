import type { ApplySnapshotChunkResult, OfferSnapshotResult, ProposalStatus, VerifyStatus } from '@org/types/abci'
import type { PublicKey } from '@org/types/crypto'

/** Bytes. In every answer, a text means its UTF-8 bytes; it is never read as hex or base64. */
export type BytesLike = Uint8Array | string
/** A whole number of 64 bits. A `number` must be a safe integer. */
export type IntegerLike = bigint | number

/*
 * The answers of an application. Members that are left out are zero, empty or false. The members have the names and the
 * meaning of the messages of ABCI 2.0.
 */

/** An attribute of an event. */
export interface AttributeAnswer {
  readonly key?: string | undefined
  readonly value?: string | undefined
  /** True if searches find the event by this attribute. Subscriptions find the event by every attribute. */
  readonly index?: boolean | undefined
}

/** An event of a transaction or of a block. */
export interface EventAnswer {
  readonly type?: string | undefined
  readonly attributes?: readonly AttributeAnswer[] | undefined
}

/** The result of a transaction. A code other than 0 means that the transaction had no effect. */
export interface TxResultAnswer {
  readonly code?: IntegerLike | undefined
  readonly data?: BytesLike | undefined
  readonly log?: string | undefined
  readonly info?: string | undefined
  readonly gasWanted?: IntegerLike | undefined
  readonly gasUsed?: IntegerLike | undefined
  readonly events?: readonly EventAnswer[] | undefined
  readonly codespace?: string | undefined
}

/** The answer to CheckTx. A code other than 0 keeps the transaction out of the mempool. */
export interface CheckTxAnswer extends TxResultAnswer {}

/** The answer of an application to Info. */
export interface InfoAnswer {
  readonly data?: string | undefined
  readonly version?: string | undefined
  readonly appVersion?: IntegerLike | undefined
  /** The height of the last block that the application has committed. At its start, a node replays the later blocks. */
  readonly lastBlockHeight?: IntegerLike | undefined
  /**
   * The app hash of the block at `lastBlockHeight`. It must be present if `lastBlockHeight` is above 0 and
   * `finalizeBlock` returns an app hash.
   */
  readonly lastBlockAppHash?: BytesLike | undefined
}

/** A step of the proof of a value. */
export interface ProofOpAnswer {
  readonly type?: string | undefined
  readonly key?: BytesLike | undefined
  readonly data?: BytesLike | undefined
}

/** The answer of an application to Query. */
export interface QueryAnswer {
  readonly code?: IntegerLike | undefined
  readonly log?: string | undefined
  readonly info?: string | undefined
  readonly index?: IntegerLike | undefined
  readonly key?: BytesLike | undefined
  readonly value?: BytesLike | undefined
  readonly proofOps?: { readonly ops?: readonly ProofOpAnswer[] | undefined } | undefined
  readonly height?: IntegerLike | undefined
  readonly codespace?: string | undefined
}

/** The new power of a validator. Power 0 removes the validator. */
export interface ValidatorUpdateAnswer {
  readonly pubKey: PublicKey
  readonly power?: IntegerLike | undefined
}

/** An update of the consensus params. A group that is left out is not changed. */
export interface ConsensusParamsAnswer {
  readonly block?:
    | { readonly maxBytes?: IntegerLike | undefined; readonly maxGas?: IntegerLike | undefined }
    | undefined
  readonly evidence?:
    | {
        readonly maxAgeNumBlocks?: IntegerLike | undefined
        /** The maximum age of evidence, in nanoseconds. */
        readonly maxAgeDuration?: IntegerLike | undefined
        readonly maxBytes?: IntegerLike | undefined
      }
    | undefined
  readonly validator?: { readonly pubKeyTypes?: readonly string[] | undefined } | undefined
  readonly version?: { readonly app?: IntegerLike | undefined } | undefined
  readonly abci?: { readonly voteExtensionsEnableHeight?: IntegerLike | undefined } | undefined
}

/** The answer of an application to InitChain. */
export interface InitChainAnswer {
  readonly consensusParams?: ConsensusParamsAnswer | undefined
  readonly validators?: readonly ValidatorUpdateAnswer[] | undefined
  readonly appHash?: BytesLike | undefined
}

/** The answer of an application to PrepareProposal. */
export interface PrepareProposalAnswer {
  readonly txs?: readonly BytesLike[] | undefined
}

/** The answer of an application to ProcessProposal. */
export interface ProcessProposalAnswer {
  readonly status?: ProposalStatus | undefined
}

/** The answer of an application to ExtendVote. */
export interface ExtendVoteAnswer {
  readonly voteExtension?: BytesLike | undefined
}

/** The answer of an application to VerifyVoteExtension. */
export interface VerifyVoteExtensionAnswer {
  readonly status?: VerifyStatus | undefined
}

/** The answer of an application to FinalizeBlock. */
export interface FinalizeBlockAnswer {
  /** The results of the transactions of the block, in their order. Each transaction has one result. */
  readonly txResults?: readonly TxResultAnswer[] | undefined
  readonly appHash?: BytesLike | undefined
  readonly events?: readonly EventAnswer[] | undefined
  readonly validatorUpdates?: readonly ValidatorUpdateAnswer[] | undefined
  readonly consensusParamUpdates?: ConsensusParamsAnswer | undefined
}

/** The answer of an application to Commit. */
export interface CommitAnswer {
  /** The node may delete blocks below this height. */
  readonly retainHeight?: IntegerLike | undefined
}

/** The description of a snapshot that the application can send. */
export interface SnapshotAnswer {
  readonly height?: IntegerLike | undefined
  readonly format?: IntegerLike | undefined
  readonly chunks?: IntegerLike | undefined
  readonly hash?: BytesLike | undefined
  readonly metadata?: BytesLike | undefined
}

/** The answer of an application to ListSnapshots. */
export interface ListSnapshotsAnswer {
  readonly snapshots?: readonly SnapshotAnswer[] | undefined
}

/** The answer of an application to OfferSnapshot. */
export interface OfferSnapshotAnswer {
  readonly result?: OfferSnapshotResult | undefined
}

/** The answer of an application to LoadSnapshotChunk. */
export interface LoadSnapshotChunkAnswer {
  readonly chunk?: BytesLike | undefined
}

/** The answer of an application to ApplySnapshotChunk. */
export interface ApplySnapshotChunkAnswer {
  readonly result?: ApplySnapshotChunkResult | undefined
  readonly refetchChunks?: readonly IntegerLike[] | undefined
  readonly rejectSenders?: readonly string[] | undefined
}
