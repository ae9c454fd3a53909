import { messageOf, nextTurn } from '@org/runtime'
import {
  type Block,
  type Commit,
  equalBlockIds,
  evidenceListSize,
  formatBlockId,
  hasAddress,
  hashConsensusParams,
  hashDataInTurns,
  hashValidators,
  MAX_HASHED_AT_ONCE,
  medianTime,
  type State,
  validateBlockBasic,
} from '@org/types'
import { equalBytes, shownBytes } from '@org/types/bytes'
import { ADDRESS_SIZE } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import { formatGoTime } from '../evidence/go-time.ts'
import { EXECUTION_ERRORS, ExecutionError } from './errors.ts'

export interface BlockValidation {
  /** Checks the signatures of the block's last commit. Absent if they were verified already. */
  readonly verifyLastCommit?: (state: State, block: Block) => Promise<void>
  /** The block's time must be before `now` plus `tolerance`. Absent: the block may have any time. */
  readonly before?: { readonly now: Time; readonly tolerance: bigint }
  /** Lets other work run while the transactions of a large block are hashed. Default: a turn of the event loop. */
  readonly takeTurn?: () => Promise<void>
}

function fail(message: string): never {
  throw new ExecutionError(EXECUTION_ERRORS.invalidBlock, message)
}

const show = (value: unknown): string => (value instanceof Uint8Array ? shownBytes(value) : String(value))

function checkHash(name: string, { got, wanted }: { got: Uint8Array; wanted: Uint8Array }): void {
  if (!equalBytes(got, wanted)) fail(`wrong Block.Header.${name}.  Expected ${show(wanted)}, got ${show(got)}`)
}

function checkPlace({ header }: Block, state: State): void {
  const { consensus } = state.version
  if (header.version.app !== consensus.app || header.version.block !== consensus.block) {
    const text = ({ block, app }: { block: bigint; app: bigint }): string => `{${block} ${app}}`
    fail(`wrong Block.Header.Version. Expected ${text(consensus)}, got ${text(header.version)}`)
  }
  if (header.chainId !== state.chainId) {
    fail(`wrong Block.Header.ChainID. Expected ${state.chainId}, got ${header.chainId}`)
  }
  if (state.lastBlockHeight === 0 && header.height !== state.initialHeight) {
    // The reference has the two heights of this text in the wrong order, so this text has them in the wrong order too.
    fail(`wrong Block.Header.Height. Expected ${header.height} for initial block, got ${state.initialHeight}`)
  }
  if (state.lastBlockHeight > 0 && header.height !== state.lastBlockHeight + 1) {
    fail(`wrong Block.Header.Height. Expected ${state.lastBlockHeight + 1}, got ${header.height}`)
  }
  if (!equalBlockIds(header.lastBlockId, state.lastBlockId)) {
    const [wanted, got] = [formatBlockId(state.lastBlockId), formatBlockId(header.lastBlockId)]
    fail(`wrong Block.Header.LastBlockID.  Expected ${wanted}, got ${got}`)
  }
}

function checkHashes({ header }: Block, state: State): void {
  checkHash('AppHash', { got: header.appHash, wanted: state.appHash })
  checkHash('ConsensusHash', { got: header.consensusHash, wanted: hashConsensusParams(state.consensusParams) })
  checkHash('LastResultsHash', { got: header.lastResultsHash, wanted: state.lastResultsHash })
  checkHash('ValidatorsHash', { got: header.validatorsHash, wanted: hashValidators(state.validators) })
  checkHash('NextValidatorsHash', { got: header.nextValidatorsHash, wanted: hashValidators(state.nextValidators) })
}

function checkProposer({ header }: Block, state: State): void {
  // The proposer of a block depends on the round of the proposal, which the block does not contain. So the check
  // accepts the address of any validator.
  const { proposerAddress } = header
  if (proposerAddress.length !== ADDRESS_SIZE) {
    fail(`expected ProposerAddress size ${ADDRESS_SIZE}, got ${proposerAddress.length}`)
  }
  if (!hasAddress(state.validators, proposerAddress)) {
    fail(`block.Header.ProposerAddress ${show(proposerAddress)} is not a validator`)
  }
}

function checkTime(block: Block, state: State, before: BlockValidation['before']): void {
  const { height, time } = block.header
  if (before !== undefined && before.tolerance > 0n && time >= before.now + before.tolerance) {
    const clock = `wall clock ${formatGoTime(before.now)} + tolerance ${before.tolerance}ns`
    fail(`block time ${formatGoTime(time)} is too far in the future (${clock})`)
  }
  if (height < state.initialHeight) fail(`block height ${height} lower than initial height ${state.initialHeight}`)
  if (height === state.initialHeight) {
    if (time === state.lastBlockTime) return
    fail(`block time ${formatGoTime(time)} is not equal to genesis time ${formatGoTime(state.lastBlockTime)}`)
  }
  if (time <= state.lastBlockTime) {
    fail(`block time ${formatGoTime(time)} not greater than last block time ${formatGoTime(state.lastBlockTime)}`)
  }
  const median = lastCommitMedian(block, state)
  if (time !== median) fail(`invalid block time. Expected ${formatGoTime(median)}, got ${formatGoTime(time)}`)
}

function lastCommitMedian({ lastCommit }: Block, state: State): Time {
  try {
    // `lastCommit` cannot be missing, because the block was found well formed before.
    return medianTime(lastCommit as Commit, state.lastValidators)
  } catch (cause) {
    return fail(`error validating block while calculating median time: ${messageOf(cause)}`)
  }
}

function checkEvidenceSize({ evidence }: Block, state: State): void {
  const [max, got] = [state.consensusParams.evidence.maxBytes, evidenceListSize(evidence.evidence)]
  if (BigInt(got) > max) fail(`Too much evidence: Max ${max}, got ${got}`)
}

/** Resolves if a block may follow a state. Rejects with an `ExecutionError` that has the reference's text. */
export async function validateBlock(state: State, block: Block, validation: BlockValidation): Promise<void> {
  const { txs } = block.data
  if (txs.length > MAX_HASHED_AT_ONCE) await hashDataInTurns(txs, validation.takeTurn ?? nextTurn)
  try {
    validateBlockBasic(block)
  } catch (cause) {
    throw new ExecutionError(EXECUTION_ERRORS.invalidBlock, messageOf(cause), { cause })
  }
  checkPlace(block, state)
  checkHashes(block, state)
  if (block.header.height === state.initialHeight) {
    if ((block.lastCommit?.signatures.length ?? 0) !== 0) fail("initial block can't have LastCommit signatures")
  } else {
    await validation.verifyLastCommit?.(state, block)
  }
  checkProposer(block, state)
  checkTime(block, state, validation.before)
  checkEvidenceSize(block, state)
}
