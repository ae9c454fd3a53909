export {
  BOOTSTRAP_ERRORS,
  BOOTSTRAP_STEPS,
  type BootstrapData,
  BootstrapError,
  type BootstrapErrorCode,
  type BootstrapModules,
  type BootstrapStep,
  bootstrapState,
  mustRestore,
  type ProvenBlock,
  type ProvenBlocks,
  stateFromBlocks,
} from './bootstrap/index.ts'
export type { BlockToCommit, CommitModules } from './commit/commit-actions.ts'
export { type CommitSequenceModules, commitBlock } from './commit/commit-sequence.ts'
export { defineSteps, type StepPlan } from './commit/define-steps.ts'
export { createStepRunner } from './commit/run-steps.ts'
export { COMMIT_STEPS, type CommitStep, type Recovery } from './commit/steps.ts'
export { EXECUTION_ERRORS, ExecutionError, type ExecutionErrorCode } from './errors.ts'
export { type BlockExecutor, createBlockExecutor, type ExecutorModules, type ProposalBlock } from './executor.ts'
export { makeGenesisState } from './genesis-state.ts'
export { HANDSHAKE_ERRORS, HandshakeError, type HandshakeErrorCode } from './handshake/errors.ts'
export { type HandshakeModules, type HandshakeOptions, handshake } from './handshake/handshake.ts'
export { makeNextBlock, type NextBlock } from './make-block.ts'
export { createExecutionMetrics, type ExecutionMetrics } from './metrics.ts'
export type {
  CommitApp,
  ExecutionApp,
  ExecutionEvents,
  ExecutionEvidence,
  ExecutionIndexer,
  ExecutionMempool,
} from './ports.ts'
export { txPostCheck, txPreCheck } from './tx-filter.ts'
export { updateState } from './update-state.ts'
export { validateBlock } from './validate-block.ts'
export { createVerifiedVotes, type VerifiedVotes } from './verified-votes.ts'
export { createCommitVerifier } from './verify-commit.ts'
export { INFO_REQUEST } from './version.ts'
