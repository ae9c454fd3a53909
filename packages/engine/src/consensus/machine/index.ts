export {
  type Call,
  type Effect,
  type GossipHint,
  type HeightRoundStep,
  isCall,
  type Judgement,
  type ResultOf,
  type RoundEvent,
} from './effect.ts'
export { MACHINE_ERRORS, MachineError, type MachineErrorCode } from './errors.ts'
export { feedMachine, type MachineEnvironment } from './feed-machine.ts'
export type { InitialState } from './height.ts'
export type { Committed, Input, Result, Timeout, UntimedInput } from './input.ts'
export { createMachine, type Machine, type MachineModules } from './machine.ts'
export type { ConsensusMessage } from './message.ts'
export { DEFAULT_MACHINE_OPTIONS, type MachineOptions, waitsForTxs } from './options.ts'
export { PROPOSAL_REFUSALS } from './proposal.ts'
export {
  type Candidate,
  extensionsEnabled,
  isProposer,
  nextHeight,
  type PolkaBlock,
  type RoundState,
  type UnreadBlock,
} from './round-state.ts'
export { isRoundStep, RoundStep, roundStepName } from './round-step.ts'
export { makeExtendedCommit, type StoredCommit, voteSetFromCommit } from './votes/commit.ts'
export { VOTE_REFUSALS, type VoteRefusal } from './votes/errors.ts'
export { HeightVoteSet } from './votes/height-vote-set.ts'
export { signaturesOf, type VerifySignature } from './votes/verify.ts'
export { VoteSet } from './votes/vote-set.ts'
