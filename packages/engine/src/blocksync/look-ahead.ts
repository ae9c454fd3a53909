import type { ValidatorSet } from '@org/types'
import type { BlockPool, PooledBlock } from './pool/index.ts'
import { beginVerification, isOf, type Verification, type VerificationContext } from './verify-block.ts'

/** A block, and its successor, whose last commit proves the block. */
export interface Pair {
  readonly first: PooledBlock
  readonly second: PooledBlock
}

/** Verifies the signatures for the next blocks in advance, while earlier blocks are being written. */
export interface LookAhead {
  /**
   * Begins to verify the next blocks that the pool has. Assumes that `validators` is the validator set of each of these
   * blocks.
   */
  readonly begin: (validators: ValidatorSet) => void
  /**
   * Returns the verification of the first block of `pair` by the commit in the second block. If this verification has
   * not begun, or began with other validators, it begins now.
   */
  readonly nextVerification: (pair: Pair, validators: ValidatorSet) => Verification
  readonly clear: () => void
}

const MAX_AHEAD = 3
/**
 * The maximum number of bytes of the blocks that are verified ahead. The next block is verified even if it is larger.
 * The limit is needed because each verification keeps a second copy of its block in memory: the block's parts.
 */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024

/**
 * Returns the block that is `at` blocks after the next block to apply, together with its successor; `undefined` if one
 * of these two blocks is missing.
 */
export function pairAt(pool: Pick<BlockPool, 'peek'>, at: number): Pair | undefined {
  const [first, second] = [pool.peek(at), pool.peek(at + 1)]
  return first === undefined || second === undefined ? undefined : { first, second }
}

export function createLookAhead(pool: Pick<BlockPool, 'peek'>, context: () => VerificationContext): LookAhead {
  /** The verifications that have begun, in the order of heights. The first verification belongs to the next block. */
  let begun: Verification[] = []

  return {
    begin: (validators) => {
      let bytes = 0
      for (let at = 0; at < MAX_AHEAD; at++) {
        const pair = pairAt(pool, at)
        if (pair === undefined) return
        bytes += pair.first.size
        if (at > 0 && bytes > MAX_AHEAD_BYTES) return
        const current = begun[at]
        if (current?.first === pair.first && current.second === pair.second) continue
        // `begun[at]` may be the verification of another pair of blocks. The reason is that the pool removed a block of
        // that pair after the verification had begun. So this line drops `begun[at]` and all later verifications, and
        // begins the verification of `pair`.
        begun = [...begun.slice(0, at), beginVerification({ ...pair, validators }, context())]
      }
    },
    nextVerification: (pair, validators) => {
      const next = begun.shift()
      if (next !== undefined && isOf(next, { ...pair, validators })) return next
      return beginVerification({ ...pair, validators }, context())
    },
    clear: () => {
      begun = []
    },
  }
}
