import type { Block, BlockMeta, Commit, ConsensusParams, ValidatorSet } from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'

/**
 * Committed blocks. Reads are synchronous and return only durable data. To get data of one moment, the caller makes its
 * reads in one turn of the event loop. A function returns `undefined` for a height of which nothing is stored, for
 * example a height below `base`.
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
  /**
   * Returns the height of the snapshot with which the node began; `undefined` if it began with the first block. To
   * verify evidence, the node may also store the validators of heights up to the snapshot, but their proposer
   * priorities are not proven. A port without this method belongs to a node that began with the first block.
   */
  readonly backfilled?: () => { readonly snapshot: number } | undefined
}

/**
 * The functions with which long work lets other tasks run, and the signal that ends the work. Between its steps, the
 * work calls `if (isDue()) await pause()`.
 */
export interface Turns {
  readonly isDue: () => boolean
  readonly pause: () => Promise<void>
  /** Aborted when the caller disconnects. */
  readonly signal: () => AbortSignal
}

/**
 * The state that is stored beside the blocks. Each error is a CodedError whose message the client receives unchanged.
 */
export interface StateReader {
  readonly loadValidators: (height: number) => ValidatorSet
  /**
   * Returns the same as `loadValidators`, but lets other tasks run between its steps, because it may take long. Without
   * this method, `loadValidators` is called.
   */
  readonly readValidators?: (height: number, turns: Turns) => ValidatorSet | Promise<ValidatorSet>
  /**
   * Returns the keys and powers of the validators of `height`. The proposer priorities in the result may be those of
   * another height, because this method runs no rotation. So this method takes less time than `loadValidators`. If a
   * port does not have this method, `loadValidators` is called.
   */
  readonly loadSigners?: (height: number) => ValidatorSet
  /**
   * Returns the power of the validator with this address at `height`, or 0. Without this method, all validators of the
   * height are loaded, which may take long.
   */
  readonly loadVotingPower?: (height: number, address: Uint8Array) => bigint
  readonly loadConsensusParams: (height: number) => ConsensusParams
  readonly loadFinalizeBlockResponse: (height: number) => ResponseFinalizeBlock
  /**
   * Loads the FinalizeBlock responses as protobuf bytes, so that large responses can be decoded in pieces; `undefined`
   * if they are not stored in this form.
   */
  readonly loadFinalizeBlockBytes?: (height: number) => Uint8Array | undefined
  /**
   * Returns false if the block at `height` is the last block and is still being executed, so its FinalizeBlock response
   * is missing. A call that names no height is then answered for the block before. Returns true for an executed block,
   * even if the node does not keep FinalizeBlock responses. If a port does not have this method, a call that names no
   * height is always answered for the last block.
   */
  readonly hasFinalizeBlockResponse?: (height: number) => boolean
}

/** The genesis document. */
export interface GenesisReader {
  /**
   * The compact JSON text of the document as the reference writes it (64-bit integers as strings, HTML characters
   * escaped). The numbers and texts in `app_state` are unchanged.
   */
  readonly text: () => string
  /** Returns the JSON text in UTF-8. Without this method, the bytes are made from the result of `text`. */
  readonly bytes?: () => Promise<Uint8Array>
  /**
   * Returns the number of bytes of the document's JSON text in UTF-8. If a reader does not have this method, the bytes
   * of the result of `text` are counted.
   */
  readonly byteLength?: () => number
}
