import { CodedError } from '@org/runtime/errors'
import {
  type Block,
  type ExtendedCommit,
  MAX_BLOCK_SIZE_BYTES,
  type State,
  validateBlockBasic,
  validateCommitBasic,
  validateExtendedCommitBasic,
  validateHeaderBasic,
} from '@org/types'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import { MAX_MESSAGE_SIZE, MAX_SHORT_MESSAGE } from './options.ts'

/**
 * A block with at most this number of items is hashed when it arrives. The hashing takes one turn of the event loop,
 * about 50 ms.
 */
const MAX_HASHED_ITEMS = 10_000

/**
 * Throws a coded error unless the block is well formed. The contents of a large block are not hashed at this point, but
 * only after validators with more than two thirds of the power are known to have signed the block
 * (`executor.validateBlock`). So a peer cannot make this node hash millions of transactions.
 */
export function checkBlock(block: Block, items: number): void {
  if (items <= MAX_HASHED_ITEMS) {
    validateBlockBasic(block)
    return
  }
  validateHeaderBasic(block.header)
  if (block.lastCommit === undefined) throw new CodedError('BLOCKSYNC_BAD_BLOCK', 'nil LastCommit')
  validateCommitBasic(block.lastCommit)
}

/** Throws a coded error unless the extended commit is well formed, and is for the block of this height. */
export function checkExtendedCommit(commit: ExtendedCommit, height: number): void {
  validateExtendedCommitBasic(commit)
  if (commit.height === height) return
  const why = `block height ${height} != extCommit height ${commit.height}`
  throw new CodedError(BLOCKSYNC_FAULTS.invalid, why)
}

/** Returns the maximum number of bytes of a block that follows this state. */
export function maxBlockSize({ consensusParams: { block } }: State): number {
  return block.maxBytes === -1n ? MAX_BLOCK_SIZE_BYTES : Number(block.maxBytes)
}

/**
 * A message with a block may be this many times as long as the present parameters allow, because the parameters may
 * change before the height of the block. If a message is even longer, this node ends the connection to the peer, and
 * requests the block from another peer.
 */
const GROWTH = 2

/**
 * The maximum number of bytes of a vote with its extension. On the channel of votes, the reference refuses longer
 * messages.
 */
const MAX_VOTE_SIZE = 1_048_576

/** The maximum number of bytes of the extended commit that is sent with a block if vote extensions are enabled. */
function maxExtendedCommitSize({ consensusParams, validators, nextValidators }: State): number {
  if (consensusParams.abci.voteExtensionsEnableHeight === 0) return 0
  return MAX_VOTE_SIZE * Math.max(validators.validators.length, nextValidators.validators.length)
}

/**
 * The maximum number of bytes of a message with a block that a peer may send in this state. The parameters do not limit
 * vote extensions, so the calculation assumes a vote of the greatest size for each validator.
 */
export function maxAnswerSize(state: State): number {
  const today = maxBlockSize(state) + maxExtendedCommitSize(state)
  return Math.min(MAX_MESSAGE_SIZE, GROWTH * today + MAX_SHORT_MESSAGE)
}

export function longBlock(state: State, size: number): CodedError {
  const allowed = maxBlockSize(state)
  return new CodedError(
    BLOCKSYNC_FAULTS.tooLong,
    `the block has ${size} bytes; the consensus parameters allow ${allowed}`,
  )
}
