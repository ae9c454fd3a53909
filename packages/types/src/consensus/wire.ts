import { BitArray } from '../bits/wire.ts'
import { BlockId, PartSetHeader } from '../block-id/id.ts'
import { Part } from '../parts/part.ts'
import {
  bool,
  enumeration,
  field,
  type Infer,
  int32,
  message,
  oneof,
  optional,
  safeInt64,
  uint32,
  unwrapped,
  when,
} from '../schema/index.ts'
import { Proposal, type SignedMsgType, Vote } from '../vote/wire.ts'

// The JSON has the form of the reference's Go structs without tags, because the reference's tool wal2json prints this
// form.
const pascal = { jsonNames: 'pascal' } as const
const blockId = field(4, BlockId, { json: 'BlockID' })

/**
 * Reports the sender's height, round and step, at every step. `step` is a number from 1 (NewHeight) to 8 (Commit).
 * `lastCommitRound` is -1 if there is no last commit.
 */
export const NewRoundStep = message(
  'tendermint.consensus.NewRoundStep',
  {
    height: field(1, safeInt64),
    round: field(2, int32),
    step: field(3, uint32),
    secondsSinceStartTime: field(4, safeInt64),
    lastCommitRound: field(5, int32),
  },
  pascal,
)
export type NewRoundStep = Infer<typeof NewRoundStep>

/**
 * Reports which parts of a block the sender has. If `isCommit` is true, the block is decided. Otherwise the block has a
 * polka in `round`.
 */
export const NewValidBlock = message(
  'tendermint.consensus.NewValidBlock',
  {
    height: field(1, safeInt64),
    round: field(2, int32),
    blockPartSetHeader: field(3, PartSetHeader),
    blockParts: optional(4, BitArray),
    isCommit: field(5, bool),
  },
  pascal,
)
export type NewValidBlock = Infer<typeof NewValidBlock>

/** tendermint.consensus.Proposal: the message to a peer that contains a proposal. */
export const ProposalMessage = message('tendermint.consensus.Proposal', { proposal: field(1, Proposal) }, pascal)
export type ProposalMessage = Infer<typeof ProposalMessage>

/** Reports which prevotes of a proposal's proof-of-lock round the sender has seen. */
export const ProposalPol = message(
  'tendermint.consensus.ProposalPOL',
  {
    height: field(1, safeInt64),
    proposalPolRound: field(2, int32, { json: 'ProposalPOLRound' }),
    proposalPol: field(3, BitArray, { json: 'ProposalPOL' }),
  },
  pascal,
)
export type ProposalPol = Infer<typeof ProposalPol>

/** tendermint.consensus.BlockPart: the message to a peer that contains one part of a proposed or decided block. */
export const BlockPart = message(
  'tendermint.consensus.BlockPart',
  { height: field(1, safeInt64), round: field(2, int32), part: field(3, Part) },
  pascal,
)
export type BlockPart = Infer<typeof BlockPart>

/** tendermint.consensus.Vote: the message to a peer that contains a vote. */
export const VoteMessage = message('tendermint.consensus.Vote', { vote: optional(1, Vote) }, pascal)
export type VoteMessage = Infer<typeof VoteMessage>

/** Reports that the sender has received a vote. */
export const HasVote = message(
  'tendermint.consensus.HasVote',
  {
    height: field(1, safeInt64),
    round: field(2, int32),
    type: field(3, enumeration<SignedMsgType>()),
    index: field(4, int32),
  },
  pascal,
)
export type HasVote = Infer<typeof HasVote>

/** Reports that the sender has seen votes of more than two thirds of the power for one block. */
export const VoteSetMaj23 = message(
  'tendermint.consensus.VoteSetMaj23',
  { height: field(1, safeInt64), round: field(2, int32), type: field(3, enumeration<SignedMsgType>()), blockId },
  pascal,
)
export type VoteSetMaj23 = Infer<typeof VoteSetMaj23>

/** The answer to a {@link VoteSetMaj23}: the votes for this block that the sender has. */
export const VoteSetBits = message(
  'tendermint.consensus.VoteSetBits',
  {
    height: field(1, safeInt64),
    round: field(2, int32),
    type: field(3, enumeration<SignedMsgType>()),
    blockId,
    votes: field(5, BitArray),
  },
  pascal,
)
export type VoteSetBits = Infer<typeof VoteSetBits>

const sum = oneof({
  newRoundStep: when(1, NewRoundStep, 'tendermint/NewRoundStepMessage'),
  newValidBlock: when(2, NewValidBlock, 'tendermint/NewValidBlockMessage'),
  proposal: when(3, ProposalMessage, 'tendermint/Proposal'),
  proposalPol: when(4, ProposalPol, 'tendermint/ProposalPOL'),
  blockPart: when(5, BlockPart, 'tendermint/BlockPart'),
  vote: when(6, VoteMessage, 'tendermint/Vote'),
  hasVote: when(7, HasVote, 'tendermint/HasVote'),
  voteSetMaj23: when(8, VoteSetMaj23, 'tendermint/VoteSetMaj23'),
  voteSetBits: when(9, VoteSetBits, 'tendermint/VoteSetBits'),
})

/**
 * A message of the consensus channels (0x20 to 0x23). Its JSON is the tagged JSON of the message that it contains,
 * without a wrapper.
 */
export const ConsensusMessage = unwrapped(message('tendermint.consensus.Message', { sum }), sum)
export type ConsensusMessage = Infer<typeof ConsensusMessage>
