import type { Op } from '@org/engine/storage'
import type { GenesisDoc } from '@org/types'
import type { PrivateKey } from '@org/types/crypto'
import type { SavedNode } from '../chain/snapshot.ts'
import type { PowerChanges } from './powers.ts'
import type { Replacement } from './replacement.ts'

/** A chain that a devnet begins with, in place of a new one. */
export interface DevnetOrigin {
  readonly genesis: GenesisDoc
  /** The keys of the validators of this process. */
  readonly keys: readonly PrivateKey[]
  /** The disks of the validators of this process; without them the chain begins with its first block. */
  readonly nodes?: readonly SavedNode[]
  /**
   * The changes of validators' powers that an earlier devnet made on this chain. When an application executes a block
   * again, its answer must contain the block's changes again.
   */
  readonly changes?: PowerChanges
  /** The difference of the chain's clock from real time, in nanoseconds. */
  readonly offset?: bigint
  /**
   * The heights of the first and of the last stored block, and the time of the last block, in nanoseconds since 1970.
   */
  readonly blocks?: { readonly base: number; readonly height: number; readonly lastTime: bigint }
  /**
   * The validators whose keys are replaced, in the order of `keys`. The applications receive the addresses of the
   * original keys.
   */
  readonly replacements?: readonly Replacement[]
  /**
   * The database with which each application begins. The state in the database belongs to the height that the
   * application reports. The application then executes the blocks above this height.
   */
  readonly appState?: readonly Op[]
}
