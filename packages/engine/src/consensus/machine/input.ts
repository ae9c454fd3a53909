import type { Block, BlockId, PartSet, Proposal, SignedMsgType, State, Vote } from '@org/types'
import type { PublicKey } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import type { ConsensusMessage } from './message.ts'
import type { RoundStep } from './round-step.ts'

/** A timeout of consensus. It is ignored if the machine is already past the timeout's height, round and step. */
export interface Timeout {
  /** The time until the timeout fires, in nanoseconds; may be negative. */
  readonly duration: bigint
  readonly height: number
  readonly round: number
  readonly step: RoundStep
}

/** The answer to a {@link Call}, by the call's type. */
export type Result =
  /**
   * The new block; `undefined` in a replay if the WAL already has this node's proposal. Then this node must not make
   * another block.
   */
  | { readonly type: 'createProposalBlock'; readonly value: { block: Block; parts: PartSet } | undefined }
  /** The signed proposal; `undefined` if the signer refused to sign. The driver logs the reason. */
  | { readonly type: 'signProposal'; readonly value: Proposal | undefined }
  | { readonly type: 'signVote'; readonly value: Vote | undefined }
  /** The reason why the block is invalid; `undefined` if the block is valid. */
  | { readonly type: 'validateBlock'; readonly value: string | undefined }
  | { readonly type: 'processProposal'; readonly value: boolean }
  | { readonly type: 'extendVote'; readonly value: Uint8Array }
  | { readonly type: 'verifyVoteExtension'; readonly value: boolean }
  | { readonly type: 'commitBlock'; readonly value: Committed }

/** The result of a commit, with which the machine begins the next height. */
export interface Committed {
  readonly state: State
  /** The key with which the signer signs from the next height on. */
  readonly publicKey: PublicKey | undefined
}

/** An input without its time. */
export type UntimedInput =
  | { readonly type: 'start' }
  /** `peerId` is empty for this node's own messages. */
  | { readonly type: 'message'; readonly peerId: string; readonly message: ConsensusMessage }
  | { readonly type: 'timeout'; readonly timeout: Timeout }
  | { readonly type: 'txsAvailable' }
  /** A peer claims that +2/3 voted for a block. */
  | {
      readonly type: 'peerMaj23'
      readonly peerId: string
      readonly height: number
      readonly round: number
      readonly voteType: SignedMsgType
      readonly blockId: BlockId
    }
  | { readonly type: 'result'; readonly result: Result }

/** An input with its time. The machine reads no clock: `time` is the only time that it uses. */
export type Input = { readonly time: Time } & UntimedInput
