import { BlockIdFlag } from '@org/types/block'
import type { Fraction } from '@org/types/validators'
import { totalVotingPower, validatorByAddress } from '@org/types/validators'
import { heightOf, type LightBlock } from '../block/light-block.ts'
import { pivotOf } from './pivot-of.ts'
import { MAX_HELD_VALIDATORS, sizeOf } from './pivots.ts'

/** Fetches the blocks that a bisection asks for next, while the signatures of a block are verified. */
export interface Scout {
  /** Fetches ahead, as if `block` was verified. `above`: the blocks that were fetched above it, the highest first. */
  readonly begin: (block: LightBlock, above: readonly LightBlock[]) => void
  /** The block at a height, which may have been fetched ahead. One request is at the source at a time. */
  readonly fetch: (height: number) => Promise<LightBlock>
  /** Drops what was fetched, and aborts the request that is at the source. */
  readonly stop: () => void
}

export interface ScoutModules {
  readonly fetch: (height: number, signal: AbortSignal) => Promise<LightBlock>
  readonly trustLevel: Fraction
}

/**
 * The maximum number of blocks that are fetched ahead. They have at most as many validators as the pivots of a
 * bisection.
 */
const MOST_AHEAD = 8

/**
 * Whether a trusted block has enough power in a later one. The verification looks at the signatures too; this is only a
 * forecast.
 */
function reaches({ header, validators }: LightBlock, later: LightBlock, { numerator, denominator }: Fraction): boolean {
  if (heightOf(later) === header.height + 1) return true
  const needed = (totalVotingPower(validators) * numerator) / denominator
  let power = 0n
  for (const { blockIdFlag, validatorAddress } of later.commit.signatures) {
    if (blockIdFlag !== BlockIdFlag.commit) continue
    power += validatorByAddress(validators, validatorAddress)?.validator.votingPower ?? 0n
    if (power > needed) return true
  }
  return false
}

export function createScout({ fetch, trustLevel }: ScoutModules): Scout {
  let ahead = new Map<number, Promise<LightBlock>>()
  let stop = new AbortController()
  let looking: Promise<void> = Promise.resolve()

  function fetchAhead(height: number, signal: AbortSignal): Promise<LightBlock> {
    const answer = fetch(height, signal)
    ahead.set(height, answer)
    return answer
  }

  /** Follows the way of the bisection until a block is near enough. */
  async function look(from: LightBlock, above: readonly LightBlock[], signal: AbortSignal): Promise<void> {
    if (above.some((block) => reaches(from, block, trustLevel))) return
    let held = 0
    let high = above.at(-1)
    for (let count = 0; high !== undefined && count < MOST_AHEAD && held <= MAX_HELD_VALIDATORS; count++) {
      const height = pivotOf(heightOf(from), heightOf(high))
      if (height === heightOf(from)) return
      high = await fetchAhead(height, signal)
      if (reaches(from, high, trustLevel)) return
      held += sizeOf(high)
    }
  }

  async function drop(): Promise<void> {
    stop.abort()
    ahead = new Map()
    await looking
  }

  return {
    begin: (block, above) => {
      const before = drop()
      stop = new AbortController()
      const { signal } = stop
      // The error of a fetch is returned when the bisection asks for the block.
      looking = before.then(() => (signal.aborted ? undefined : look(block, above, signal))).catch(() => undefined)
    },
    fetch: async (height) => {
      const known = ahead.get(height)
      if (known !== undefined) return known
      await drop()
      stop = new AbortController()
      return fetch(height, stop.signal)
    },
    stop: () => void drop(),
  }
}
