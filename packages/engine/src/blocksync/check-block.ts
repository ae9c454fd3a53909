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
import { nextHeight } from '../consensus/machine/index.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import { MAX_MESSAGE_SIZE, MAX_SHORT_MESSAGE } from './options.ts'
import type { PooledBlock } from './pool/index.ts'

/** The sizes of a received message that contains a block, and of this block. */
export interface ReceivedBlockSizes {
  /**
   * `size` is the number of bytes of the message on the wire, and `blockSize` the number of bytes of the block in the
   * message.
   */
  readonly size: number
  readonly blockSize: number
  /** The approximate size of the decoded message in memory, in bytes. */
  readonly heap: number
  readonly items: number
}

/**
 * The maximum number of items in a block that is hashed on arrival. Hashing so many items blocks the event loop for
 * about 50 ms.
 */
const MAX_HASHED_ITEMS = 10_000

/**
 * Throws a coded error unless the block is well formed. The contents of a large block are not hashed here. They are
 * hashed later, in `executor.validateBlock`, after the signatures of validators with more than two thirds of the power
 * have been verified. So a peer cannot make this node hash millions of transactions.
 */
function checkBlock(block: Block, items: number): void {
  if (items <= MAX_HASHED_ITEMS) {
    validateBlockBasic(block)
    return
  }
  validateHeaderBasic(block.header)
  if (block.lastCommit === undefined) throw new CodedError('BLOCKSYNC_BAD_BLOCK', 'nil LastCommit')
  validateCommitBasic(block.lastCommit)
}

/** Throws a coded error unless the extended commit is well formed, and is for the block of this height. */
function checkExtendedCommit(commit: ExtendedCommit, height: number): void {
  validateExtendedCommitBasic(commit)
  if (commit.height === height) return
  const why = `block height ${height} != extCommit height ${commit.height}`
  throw new CodedError(BLOCKSYNC_FAULTS.invalid, why)
}

/** Returns the maximum number of bytes of the next block after this state. */
export function maxBlockSize({ consensusParams: { block } }: State): number {
  return block.maxBytes === -1n ? MAX_BLOCK_SIZE_BYTES : Number(block.maxBytes)
}

/**
 * A message of a peer may be at most this many times as long as the present parameters allow. The factor is above 1,
 * because the parameters may change before the height of the block. If a message is even longer, this node ends the
 * connection to the peer, and requests the block from another peer.
 */
const MAX_GROWTH_FACTOR = 2

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
 * The maximum number of bytes of a message with a block that a peer may send while `state` is the state of the chain.
 * The parameters do not limit vote extensions, so the calculation assumes a vote of the greatest size for each
 * validator.
 */
export function maxAnswerSize(state: State): number {
  const today = maxBlockSize(state) + maxExtendedCommitSize(state)
  return Math.min(MAX_MESSAGE_SIZE, MAX_GROWTH_FACTOR * today + MAX_SHORT_MESSAGE)
}

export function blockTooLarge(state: State, size: number): CodedError {
  const allowed = maxBlockSize(state)
  return new CodedError(
    BLOCKSYNC_FAULTS.tooLong,
    `the block has ${size} bytes; the consensus parameters allow ${allowed}`,
  )
}

/**
 * Checks a block that a peer sent, and returns it as a {@link PooledBlock}. Throws a coded error for an invalid block.
 * `maxPoolBytes` is the maximum memory of all blocks in the pool, in bytes.
 */
export function pooledBlock(
  received: PooledBlock & ReceivedBlockSizes,
  state: State,
  maxPoolBytes: number,
): PooledBlock {
  const { block, extCommit, items, ...rest } = received
  checkBlock(block, items)
  const isLong = rest.blockSize > maxBlockSize(state)
  if (isLong && block.header.height <= nextHeight(state)) throw blockTooLarge(state, rest.blockSize)
  if (extCommit !== undefined) checkExtendedCommit(extCommit, block.header.height)
  // A block that is too long for the present consensus parameters may be valid at its height, because the parameters
  // may change. The pool may keep this block only if it is one of the next two blocks to apply, which have no limit of
  // memory. So `heap`, the memory that the pool counts for the block, gets a value above the maximum of the whole pool.
  return { ...rest, block, extCommit, heap: isLong ? Math.max(rest.heap, maxPoolBytes + 1) : rest.heap }
}
