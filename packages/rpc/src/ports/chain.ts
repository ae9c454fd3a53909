import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { Block, BlockMeta, Commit } from '@org/types/block'
import type { ConsensusParams } from '@org/types/params'
import type { ValidatorSet } from '@org/types/validators'

/**
 * Committed blocks. Reads are synchronous and see only what is on disk; what belongs together is read in one turn.
 * `undefined` where nothing is stored (also for heights below the base).
 */
export interface BlockReader {
  /** The lowest stored height; 0 if there is no block. */
  readonly base: () => number
  /** The highest stored height; 0 if there is no block. */
  readonly height: () => number
  readonly loadBlock: (height: number) => Block | undefined
  readonly loadBlockMeta: (height: number) => BlockMeta | undefined
  readonly loadBlockMetaByHash: (hash: Uint8Array) => BlockMeta | undefined
  readonly loadBlockByHash: (hash: Uint8Array) => Block | undefined
  /** The commit of `height` as the next block carries it. */
  readonly loadBlockCommit: (height: number) => Commit | undefined
  /** The commit of `height` as this node saw it. */
  readonly loadSeenCommit: (height: number) => Commit | undefined
}

/** When work that takes long lets others have their turn. */
export interface Turns {
  readonly isDue: () => boolean
  readonly rest: () => Promise<void>
  /** Aborted when the caller goes away. */
  readonly signal: () => AbortSignal
}

/** What is kept beside the blocks. An error is a CodedError whose message is shown to the client as it is. */
export interface StateReader {
  readonly loadValidators: (height: number) => ValidatorSet
  /** The same in turns, where it takes long. Left out, `loadValidators` is asked. */
  readonly readValidators?: (height: number, turns: Turns) => ValidatorSet | Promise<ValidatorSet>
  /** The keys and powers of `height` with any priorities, which takes little time. Left out, `loadValidators` is asked. */
  readonly loadSigners?: (height: number) => ValidatorSet
  /** The power that an address has at `height`, 0 if none. Left out, it is looked up in the whole set, which may take long to make. */
  readonly loadVotingPower?: (height: number, address: Uint8Array) => bigint
  readonly loadConsensusParams: (height: number) => ConsensusParams
  readonly loadFinalizeBlockResponse: (height: number) => ResponseFinalizeBlock
  /** The same as protobuf, so that a large one need not be decoded in one go; `undefined` where it is not stored like that. */
  readonly loadFinalizeBlockBytes?: (height: number) => Uint8Array | undefined
  /**
   * False of the last block while it is executed. Left out, or where none are kept, true: a call without a height is about the last
   * block.
   */
  readonly hasFinalizeBlockResponse?: (height: number) => boolean
}

/** The genesis document. */
export interface GenesisReader {
  /**
   * Its compact JSON text as the reference writes it (64-bit integers as strings, HTML characters escaped, `app_state` with
   * its own literals).
   */
  readonly text: () => string
  /** The same in UTF-8; left out, they are made from the text. */
  readonly bytes?: () => Promise<Uint8Array>
  /** Its length in UTF-8; left out, the text is measured. */
  readonly byteLength?: () => number
}
