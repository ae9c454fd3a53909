import type { Block, ExtendedCommit } from '@org/types'

/** A block that a peer sent. */
export interface PooledBlock {
  readonly block: Block
  readonly extCommit: ExtendedCommit | undefined
  /** The sizes in bytes of the message that contained the block, and of the block in that message. */
  readonly size: number
  readonly blockSize: number
  /** The approximate memory that the block takes, in bytes. */
  readonly heap: number
  readonly from: string
}
