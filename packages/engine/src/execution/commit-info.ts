import {
  type Block,
  BlockIdFlag,
  type ExtendedCommit,
  type ExtendedCommitSig,
  ensureExtensions,
  type State,
  type Validator,
  type ValidatorSet,
  voteExtensionsEnabled,
} from '@org/types'
import { CommitInfo, ExtendedCommitInfo } from '@org/types/abci'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import { EXECUTION_ERRORS, ExecutionError } from './errors.ts'

function fail(message: string): ExecutionError {
  return new ExecutionError(EXECUTION_ERRORS.commitInfo, message)
}

function voter({ pubKey, votingPower }: Validator): { address: Uint8Array; power: bigint } {
  return { address: addressOf(pubKey), power: votingPower }
}

/**
 * Returns which validators signed the previous block, in the form in which the application receives it.
 * `lastValidators` are the validators of that block's height.
 */
export function lastCommitInfo(block: Block, lastValidators: ValidatorSet, initialHeight: number): CommitInfo {
  const { height } = block.header
  if (height === initialHeight) return CommitInfo.create()
  const signatures = block.lastCommit?.signatures ?? []
  const { validators } = lastValidators
  if (signatures.length !== validators.length) {
    throw fail(
      `commit size (${signatures.length}) doesn't match validator set length (${validators.length}) at height ${height}`,
    )
  }
  return {
    round: block.lastCommit?.round ?? 0,
    votes: validators.map((validator, index) => ({
      validator: voter(validator),
      blockIdFlag: signatures[index]?.blockIdFlag ?? BlockIdFlag.unknown,
    })),
  }
}

/**
 * Returns the last commit with its vote extensions, for the application of the proposer. `state` is the state after the
 * block of that commit.
 */
export function extendedCommitInfo(commit: ExtendedCommit, state: State): ExtendedCommitInfo {
  if (commit.height < state.initialHeight) return ExtendedCommitInfo.create()
  const validators = state.lastValidators?.validators ?? []
  const signatures = commit.extendedSignatures
  if (signatures.length !== validators.length) {
    throw fail(
      `extended commit size (${signatures.length}) does not match validator set length (${validators.length}) at height ${commit.height}`,
    )
  }
  ensureExtensions(commit, voteExtensionsEnabled(state.consensusParams, commit.height))
  return {
    round: commit.round,
    votes: validators.map((validator, index) => {
      const sig = signatures[index] as ExtendedCommitSig
      if (sig.blockIdFlag !== BlockIdFlag.absent && !equalBytes(sig.validatorAddress, validator.address)) {
        throw fail(
          `validator address of extended commit signature in position ${index} (${bytesToHex(sig.validatorAddress)}) does not match the corresponding validator's at height ${commit.height} (${bytesToHex(validator.address)})`,
        )
      }
      return {
        validator: voter(validator),
        blockIdFlag: sig.blockIdFlag,
        voteExtension: sig.extension,
        extensionSignature: sig.extensionSignature,
      }
    }),
  }
}
