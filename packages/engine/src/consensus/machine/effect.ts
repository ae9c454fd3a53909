import type { Block, BlockId, ExtendedCommit, PartSet, Proposal, Vote } from '@org/types'
import type { MachineError } from './errors.ts'
import type { Result, Timeout } from './input.ts'
import type { ConsensusMessage } from './message.ts'
import type { RoundStep } from './round-step.ts'

/**
 * A request whose result the machine needs. A call is the last effect of a step of the machine. The next input must be
 * the call's {@link Result}.
 */
export type Call =
  | {
      readonly type: 'createProposalBlock'
      readonly height: number
      readonly lastExtendedCommit: ExtendedCommit
      readonly proposerAddress: Uint8Array
    }
  | { readonly type: 'signProposal'; readonly proposal: Proposal }
  /** If `withExtension` is true, the signer signs the extension of the vote too. */
  | { readonly type: 'signVote'; readonly vote: Vote; readonly withExtension: boolean }
  /**
   * `isAgreed` is true if validators with more than two thirds of the power have prevoted or precommitted the block.
   */
  | { readonly type: 'validateBlock'; readonly block: Block; readonly isAgreed: boolean }
  | { readonly type: 'processProposal'; readonly block: Block }
  | { readonly type: 'extendVote'; readonly vote: Vote; readonly block: Block }
  | { readonly type: 'verifyVoteExtension'; readonly vote: Vote }
  | {
      readonly type: 'commitBlock'
      readonly block: Block
      readonly blockId: BlockId
      readonly parts: PartSet
      readonly seenCommit: ExtendedCommit
      /** True if the commit is stored with its extensions. */
      readonly extended: boolean
    }

/** The value that a call of this type returns to the machine. */
export type ResultOf<T extends Call['type']> = Extract<Result, { readonly type: T }>['value']

/** A height, a round and a step. They are compared in this order. */
export interface HeightRoundStep {
  readonly height: number
  readonly round: number
  readonly step: RoundStep
}

/** An event of consensus that is published to subscribers, such as a complete proposal, a lock or a vote. */
export type RoundEvent =
  | ({
      readonly type: 'NewRound'
      readonly proposer: { readonly address: Uint8Array; readonly index: number }
    } & HeightRoundStep)
  | ({ readonly type: 'CompleteProposal'; readonly blockId: BlockId } & HeightRoundStep)
  | ({
      readonly type: 'Polka' | 'Lock' | 'Relock' | 'Unlock' | 'ValidBlock' | 'TimeoutPropose' | 'TimeoutWait'
    } & HeightRoundStep)
  | { readonly type: 'Vote'; readonly vote: Vote }

/** A hint from the machine to the gossip: the round state has new data, which peers may lack. */
export type GossipHint =
  | { readonly type: 'newRoundStep' }
  | { readonly type: 'newValidBlock' }
  | { readonly type: 'proposal'; readonly proposal: Proposal }
  | { readonly type: 'blockPart'; readonly index: number }
  | { readonly type: 'hasVote'; readonly vote: Vote }

/**
 * The faults for which a connection ends. `forged` means that a signature is invalid: an honest node sends a message on
 * only after it has verified the signature. `oversized` means that the message does not fit into the WAL. `overload`
 * means that too many signatures of the peer need exact checks.
 */
export type PeerFault = 'forged' | 'oversized' | 'overload'

/** The machine's decision about a message that it received. */
export type Judgement =
  | { readonly outcome: 'accept' }
  /**
   * The machine does not need the message: it is a duplicate, or belongs to another height or round. The machine
   * usually decides this before it verifies the message, so the message may be invalid.
   */
  | { readonly outcome: 'ignore'; readonly reason: string }
  /**
   * The message is invalid, so its author is faulty. The peer that passed it on may be honest. `code` names the fault
   * for programs, `reason` describes it for people.
   */
  | { readonly outcome: 'reject'; readonly code: string; readonly reason: string; readonly fault?: PeerFault }

/**
 * A task that the machine gives to the driver, such as a message to send or a timeout to set. The driver carries out
 * the effects in their order.
 */
export type Effect =
  | Call
  /**
   * A message that this node sends. The driver writes it to the WAL, and feeds it back to the machine. Peers receive it
   * only after it is durable.
   */
  | { readonly type: 'own'; readonly message: ConsensusMessage }
  /**
   * Requests a timeout. The new timeout replaces the pending timeout only if the new timeout is for a later height,
   * round or step.
   */
  | { readonly type: 'schedule'; readonly timeout: Timeout }
  /**
   * The machine has entered a step. The driver writes a mark of the step to the WAL, and publishes the event
   * NewRoundStep.
   */
  | ({ readonly type: 'newStep' } & HeightRoundStep)
  | { readonly type: 'publish'; readonly event: RoundEvent }
  | { readonly type: 'gossip'; readonly hint: GossipHint }
  /** The judgement on `message`, which the peer sent. */
  | {
      readonly type: 'judgement'
      readonly peerId: string
      readonly message: ConsensusMessage
      readonly judgement: Judgement
    }
  | { readonly type: 'conflictingVotes'; readonly votes: readonly [Vote, Vote] }
  | {
      readonly type: 'note'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** Stops consensus with this error. After this effect, the machine accepts no more input. */
  | { readonly type: 'halt'; readonly error: MachineError }

const CALLS: ReadonlySet<string> = new Set<Call['type']>([
  'createProposalBlock',
  'signProposal',
  'signVote',
  'validateBlock',
  'processProposal',
  'extendVote',
  'verifyVoteExtension',
  'commitBlock',
])

/** Returns true if the effect is a call, whose result the machine needs as an input. */
export function isCall(effect: Effect): effect is Call {
  return CALLS.has(effect.type)
}
