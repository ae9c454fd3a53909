import type { ValidatorSet } from '@org/types/validators'
import type { BlockPool, PooledBlock } from './pool/index.ts'
import { beginVerification, isOf, type Verification, type VerificationContext } from './verify-block.ts'

/** A block, and its successor, whose last commit proves the block. */
export interface Pair {
  readonly first: PooledBlock
  readonly second: PooledBlock
}

/** Verifies blocks before it is their turn, so that signatures are verified while blocks are written. */
export interface LookAhead {
  /** Begins to verify the next blocks that the pool has, with `validators` as the assumed set. */
  readonly begin: (validators: ValidatorSet) => void
  /**
   * Returns the verification of the next block. Begins it now if it was not begun, or was begun with other validators.
   */
  readonly take: (pair: Pair, validators: ValidatorSet) => Verification
  readonly clear: () => void
}

const MAX_AHEAD = 3
/**
 * The maximum number of bytes of blocks that are verified ahead, without the first block. The limit is needed because a
 * verification keeps a second copy of its block in memory: the parts.
 */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024

/** The block that is `at` blocks after the next one, with its successor. */
export function pairAt(pool: Pick<BlockPool, 'peek'>, at: number): Pair | undefined {
  const [first, second] = [pool.peek(at), pool.peek(at + 1)]
  return first === undefined || second === undefined ? undefined : { first, second }
}

export function createLookAhead(pool: Pick<BlockPool, 'peek'>, context: () => VerificationContext): LookAhead {
  /** The verifications that have begun, in the order of heights, from the next block on. */
  let begun: Verification[] = []

  return {
    begin: (validators) => {
      let bytes = 0
      for (let at = 0; at < MAX_AHEAD; at++) {
        const pair = pairAt(pool, at)
        if (pair === undefined) return
        bytes += pair.first.size
        if (at > 0 && bytes > MAX_AHEAD_BYTES) return
        const known = begun[at]
        if (known?.first === pair.first && known.second === pair.second) continue
        // Verifications from this height on belong to blocks that were removed together with the peer that sent them.
        begun = [...begun.slice(0, at), beginVerification({ ...pair, validators }, context())]
      }
    },
    take: (pair, validators) => {
      const next = begun.shift()
      if (next !== undefined && isOf(next, { ...pair, validators })) return next
      return beginVerification({ ...pair, validators }, context())
    },
    clear: () => {
      begun = []
    },
  }
}
