import type { Block, ExtendedCommit } from '@org/types/block'

/** A block that a peer sent. */
export interface PooledBlock {
  readonly block: Block
  readonly extCommit: ExtendedCommit | undefined
  /** Bytes of its message, and of the block in that message. */
  readonly size: number
  readonly blockSize: number
  /** The approximate memory that it takes, in bytes. */
  readonly heap: number
  readonly from: string
}
