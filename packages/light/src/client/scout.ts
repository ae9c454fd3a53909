import { BlockIdFlag, type CommitSig, type Fraction, totalVotingPower, validatorByAddress } from '@org/types'
import { heightOf, type LightBlock } from '../block/light-block.ts'
import { pivotOf } from './pivot-of.ts'
import { MAX_HELD_VALIDATORS, sizeOf } from './pivots.ts'

/** Fetches the blocks that a bisection will need next, while the signatures of other blocks are verified. */
export interface Scout {
  /**
   * Begins to fetch the blocks that the bisection will need after a successful verification of `block`. Does nothing if
   * the fetching has already begun. `above` has the fetched blocks that are higher than `block`, the highest block
   * first.
   */
  readonly begin: (block: LightBlock, above: readonly LightBlock[]) => void
  /**
   * Returns the block at a height, which may have been fetched in advance. If not, drops all blocks that were fetched
   * in advance, aborts the current request, and requests the block. At most one request is sent to the provider at a
   * time.
   */
  readonly fetch: (height: number) => Promise<LightBlock>
  /** Drops the fetched blocks, and aborts the current request. */
  readonly stop: () => void
}

export interface ScoutModules {
  readonly fetch: (height: number, signal: AbortSignal) => Promise<LightBlock>
  readonly trustLevel: Fraction
  /**
   * Receives a step that the bisection will probably take: the verification of `to` after `from`. The receiver may
   * begin this step in advance.
   */
  readonly onForecast?: (from: LightBlock, to: LightBlock) => void
  /**
   * Called when the bisection takes a step that was not forecast, or has ended. The receiver must then drop all steps
   * that were passed to `onForecast`.
   */
  readonly onWrongForecast?: () => void
}

/**
 * The maximum number of blocks that are fetched in advance and not used yet. The sum of their validators and signatures
 * is bounded too, by {@link MAX_HELD_VALIDATORS}.
 */
const MAX_AHEAD = 8

/**
 * Forecasts whether `later` will be accepted after a trusted block. True if `later` is the next block, or if the
 * trusted validators in its commit have more power than the trust level requires. The signatures are not verified.
 */
function reaches({ header, validators }: LightBlock, later: LightBlock, { numerator, denominator }: Fraction): boolean {
  if (heightOf(later) === header.height + 1) return true
  const needed = (totalVotingPower(validators) * numerator) / denominator
  let power = 0n
  const { signatures } = later.commit
  for (let i = 0; i < signatures.length; i++) {
    const { blockIdFlag, validatorAddress } = signatures[i] as CommitSig
    if (blockIdFlag !== BlockIdFlag.commit) continue
    power += validatorByAddress(validators, validatorAddress)?.validator.votingPower ?? 0n
    if (power > needed) return true
  }
  return false
}

const sizeOfAll = (blocks: readonly LightBlock[]): number => blocks.reduce((sum, block) => sum + sizeOf(block), 0)

/** The request for a block that is fetched in advance. */
interface Ahead {
  readonly answer: Promise<LightBlock>
  size: number
}

const nothing = (): void => undefined

export function createScout(modules: ScoutModules): Scout {
  const { fetch, trustLevel, onForecast = nothing, onWrongForecast = nothing } = modules
  const ahead = new Map<number, Ahead>()
  let stop = new AbortController()
  let prefetching: Promise<void> | undefined
  /** Called when the bisection has taken a block that was fetched in advance, so that the next block can be fetched. */
  let onRoom = nothing

  function isFull(): boolean {
    let held = 0
    for (const { size } of ahead.values()) held += size
    return ahead.size >= MAX_AHEAD || held > MAX_HELD_VALIDATORS
  }

  async function fetchAhead(height: number, signal: AbortSignal): Promise<LightBlock> {
    while (isFull()) {
      await new Promise<void>((resolve) => {
        onRoom = resolve
      })
      signal.throwIfAborted()
    }
    const entry: Ahead = { answer: fetch(height, signal), size: 0 }
    ahead.set(height, entry)
    const block = await entry.answer
    entry.size = sizeOf(block)
    return block
  }

  /**
   * Fetches the blocks on the path that the bisection takes if every commit is valid. Ends at the target. Also ends if
   * the blocks of the path have more than {@link MAX_HELD_VALIDATORS} validators and signatures together, because the
   * memory is limited.
   */
  async function prefetch(start: LightBlock, above: readonly LightBlock[], signal: AbortSignal): Promise<void> {
    let from = start
    const path = [...above]
    while (path.length > 0) {
      const reached = path.findIndex((block) => reaches(from, block, trustLevel))
      if (reached >= 0) {
        const to = path[reached] as LightBlock
        onForecast(from, to)
        from = to
        path.length = reached
        continue
      }
      const height = pivotOf(heightOf(from), heightOf(path.at(-1) as LightBlock))
      if (height === heightOf(from) || sizeOfAll(path) > MAX_HELD_VALIDATORS) return
      path.push(await fetchAhead(height, signal))
    }
  }

  async function drop(): Promise<void> {
    stop.abort()
    ahead.clear()
    onWrongForecast()
    onRoom()
    await prefetching
    prefetching = undefined
  }

  return {
    begin: (block, above) => {
      if (prefetching !== undefined) return
      stop = new AbortController()
      // If a fetch failed, the bisection receives the error when it requests the block.
      prefetching = prefetch(block, above, stop.signal).catch(() => undefined)
    },
    fetch: async (height) => {
      const known = ahead.get(height)
      if (known !== undefined) {
        ahead.delete(height)
        onRoom()
        return known.answer
      }
      await drop()
      stop = new AbortController()
      return fetch(height, stop.signal)
    },
    stop: () => void drop(),
  }
}
