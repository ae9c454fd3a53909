import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { Block, BlockMeta, Commit } from '@org/types/block'
import type { ConsensusParams } from '@org/types/params'
import type { ValidatorSet } from '@org/types/validators'

/**
 * Committed blocks. Reads are synchronous and see only what is on disk; values that belong together are read in one
 * turn. `undefined` if nothing is stored for a height (also below the base).
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

/** The means by which long work gives other tasks their turn. */
export interface Turns {
  readonly isDue: () => boolean
  readonly rest: () => Promise<void>
  /** Aborted when the caller disconnects. */
  readonly signal: () => AbortSignal
}

/** The state that is stored beside the blocks. An error is a CodedError whose message the client sees unchanged. */
export interface StateReader {
  readonly loadValidators: (height: number) => ValidatorSet
  /** As `loadValidators`, but in turns, because it may take long. Absent: `loadValidators` is called. */
  readonly readValidators?: (height: number, turns: Turns) => ValidatorSet | Promise<ValidatorSet>
  /**
   * The keys and powers of `height` with any priorities, which takes little time. Absent: `loadValidators` is called.
   */
  readonly loadSigners?: (height: number) => ValidatorSet
  /** The power of an address at `height`, or 0. Absent: the whole set is loaded, which may take long. */
  readonly loadVotingPower?: (height: number, address: Uint8Array) => bigint
  readonly loadConsensusParams: (height: number) => ConsensusParams
  readonly loadFinalizeBlockResponse: (height: number) => ResponseFinalizeBlock
  /**
   * Loads the FinalizeBlock responses as protobuf bytes, so that large ones can be decoded in pieces; `undefined` if
   * they are not stored in this form.
   */
  readonly loadFinalizeBlockBytes?: (height: number) => Uint8Array | undefined
  /**
   * False for the last block while it is executed: a call without a height is then about the block before. True in
   * all other cases, also if no responses are kept. Absent: true.
   */
  readonly hasFinalizeBlockResponse?: (height: number) => boolean
}

/** The genesis document. */
export interface GenesisReader {
  /**
   * Its compact JSON text as the reference writes it (64-bit integers as strings, HTML characters escaped, `app_state`
   * with its own literals).
   */
  readonly text: () => string
  /** Returns the JSON text in UTF-8. Absent: the bytes are made from the text. */
  readonly bytes?: () => Promise<Uint8Array>
  /** Returns the number of bytes of the JSON text in UTF-8. Absent: the text is measured. */
  readonly byteLength?: () => number
}
