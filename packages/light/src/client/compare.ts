import { hashProposerPriorities } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { hashOf, heightOf, type LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import { isBenign } from '../provider/errors.ts'
import type { Provider } from '../provider/port.ts'
import type { Context } from './context.ts'

/** The result of the comparison of a verified block with the block of a witness. */
export type Comparison = { readonly witness: Provider } & (
  | { readonly kind: 'match' }
  /**
   * The witness contradicts the verified block. Either the witness has another header at the same height. Or the latest
   * block of the witness is lower than the verified block, but has the same time or a later time.
   */
  | { readonly kind: 'conflict'; readonly block: LightBlock }
  | { readonly kind: 'priorities'; readonly block: LightBlock }
  /** The witness does not answer, or still does not have the block after the client has waited for it. */
  | { readonly kind: 'silent'; readonly error: unknown }
  /** The witness sends invalid answers. */
  | { readonly kind: 'bad'; readonly error: unknown }
)

type Found = { readonly block: LightBlock; readonly isTarget: boolean }

async function targetOrLatest(witness: Provider, height: number, signal: AbortSignal): Promise<Found> {
  const latest = await witness.lightBlock(undefined, { signal })
  if (heightOf(latest) === height) return { block: latest, isTarget: true }
  if (heightOf(latest) < height) return { block: latest, isTarget: false }
  return { block: await witness.lightBlock(height, { signal }), isTarget: true }
}

function compareBlocks(wanted: LightBlock, block: LightBlock, witness: Provider): Comparison {
  if (!equalBytes(hashOf(wanted), hashOf(block))) return { witness, kind: 'conflict', block }
  // The proposer priorities are compared separately, because the header's hash does not cover them.
  const [ours, theirs] = [wanted, block].map(({ validators }) => hashProposerPriorities(validators))
  return { witness, kind: equalBytes(ours as Uint8Array, theirs as Uint8Array) ? 'match' : 'priorities', block }
}

const failed = (witness: Provider, error: unknown, kind: 'silent' | 'bad'): Comparison => ({ witness, kind, error })

/**
 * The first pause and the longest pause, in milliseconds, before the next request to a witness that lags. Each pause is
 * twice as long as the pause before.
 */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [250, 4000]

/**
 * Compares a verified block with a witness that has not reached the height of the block. Either the witness lags, or
 * the primary invented the block, and the chain has not reached its height. So the client waits for the witness, at
 * most for twice `maxClockDrift` plus `maxBlockLag`.
 *
 * The wait is long enough to detect an invented block. The time in the header of this block is at most `maxClockDrift`
 * in the future, because the client refuses a header with a later time. So if the clocks are right, this time has
 * passed when the wait ends. The latest block of an honest witness then has a lower height than the invented block, but
 * a later time. This contradicts the invented block, because the time of a block grows with its height.
 *
 * During the wait, the client repeats the request several times, because most witnesses lack only one block. The
 * reference repeats the request only once, at the end of the wait.
 */
async function compareWithLagging(
  context: Context,
  wanted: LightBlock,
  { witness, signal }: Question,
): Promise<Comparison> {
  const { clock, settings } = context
  const waitMs = Number((2n * settings.maxClockDrift + settings.maxBlockLag) / 1_000_000n)
  const start = clock.monotonic()
  let isAgain = false
  for (let next = FIRST_PAUSE_MS; ; next = Math.min(2 * next, MAX_PAUSE_MS)) {
    let found: Found
    try {
      found = await targetOrLatest(witness, heightOf(wanted), signal)
    } catch (error) {
      signal.throwIfAborted()
      return failed(witness, error, isAgain && !isBenign(error) ? 'bad' : 'silent')
    }
    if (found.isTarget) return compareBlocks(wanted, found.block, witness)
    if (found.block.header.time >= wanted.header.time) return { witness, kind: 'conflict', block: found.block }
    // The time limit covers the requests too. So a witness that answers slowly cannot make the client wait longer.
    const remainingMs = waitMs - (clock.monotonic() - start)
    if (remainingMs <= 0) return failed(witness, laggingError(witness, wanted, found.block), 'silent')
    await clock.sleep(Math.min(next, remainingMs), signal)
    isAgain = true
  }
}

function laggingError({ name: provider }: Provider, wanted: LightBlock, latest: LightBlock): LightError {
  const height = heightOf(wanted)
  const message = `${provider} has reached only height ${heightOf(latest)}, but its block at height ${height} is needed`
  return lightError(LIGHT_ERRORS.heightTooHigh, message, { data: { provider, height } })
}

interface Question {
  readonly witness: Provider
  readonly signal: AbortSignal
}

/**
 * Compares a verified block with the block of a witness at the same height. Source: `compareNewLightBlockWithWitness`
 * in the reference's `light/detector.go`.
 */
export async function compareWithWitness(
  context: Context,
  wanted: LightBlock,
  question: Question,
): Promise<Comparison> {
  const { witness, signal } = question
  try {
    return compareBlocks(wanted, await witness.lightBlock(heightOf(wanted), { signal }), witness)
  } catch (error) {
    signal.throwIfAborted()
    if ((error as { readonly code?: string }).code === LIGHT_ERRORS.heightTooHigh) {
      return compareWithLagging(context, wanted, question)
    }
    return failed(witness, error, isBenign(error) ? 'silent' : 'bad')
  }
}
