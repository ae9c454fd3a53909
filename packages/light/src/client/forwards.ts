import type { ValidatorSet } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { heightOf, type LightBlock } from '../block/light-block.ts'
import { isLightFailure } from '../errors.ts'
import { verifyAdjacent } from '../verifier/verify.ts'
import { bisect, verificationFailed } from './bisect.ts'
import type { Context } from './context.ts'
import { detectDivergence } from './detector.ts'
import { createPivots, type Pivots } from './pivots.ts'
import type { BlockAhead } from './providers.ts'
import { createStepLimit, isTraceFull } from './trace.ts'

export interface Goal {
  /** The block to verify, as the primary sent it. */
  readonly target: LightBlock
  readonly signal: AbortSignal | undefined
}

interface Part extends Goal {
  readonly pivots: Pivots
  readonly onStep: () => void
}

/**
 * Returns the validators of the block after `block`, if the header of `block` announces that the validators stay the
 * same. Then the client does not fetch them.
 *
 * Returns `undefined` in two cases, and the client must then fetch the validators. First case: the validators change.
 * Second case: the trace, which is the list of the verified blocks, is full after the next block. The next block is
 * then saved and compared with the witnesses, and this needs the proposer priorities of the next block. They differ
 * from the proposer priorities in `block`.
 */
function announcedValidators(block: LightBlock, trace: readonly LightBlock[]): ValidatorSet | undefined {
  const { header, validators } = block
  if (!equalBytes(header.validatorsHash, header.nextValidatorsHash)) return undefined
  // The trace is full when it has too many blocks or too many validators. The check must also count the next block,
  // which is not fetched yet. The next block has the same validators as `block`, so `block` is counted twice.
  return isTraceFull([...trace, block]) ? undefined : validators
}

/**
 * Verifies every block after a trusted block, until the target is verified or the trace is full. The next block is
 * fetched during the verification. Source: `verifySequential` of the reference.
 */
async function verifySequentially(context: Context, trusted: LightBlock, part: Part): Promise<readonly LightBlock[]> {
  const { target, signal, onStep } = part
  const last = heightOf(target)
  const trace = [trusted]
  /** Requests the block after `block`. `block` is the last block of the trace. */
  const askAfter = (block: LightBlock): BlockAhead => {
    const height = heightOf(block) + 1
    if (height === last) return { wait: async () => target, abort: () => undefined }
    return context.providers.ahead(height, { signal, validators: announcedValidators(block, trace) })
  }
  let verified = trusted
  let next = askAfter(trusted)
  try {
    while (heightOf(verified) < last && !isTraceFull(trace)) {
      signal?.throwIfAborted()
      onStep()
      const height = heightOf(verified) + 1
      try {
        const block = await next.wait()
        trace.push(block)
        if (height < last && !isTraceFull(trace)) next = askAfter(block)
        await verifyAdjacent(verified, block, context.rules())
        verified = block
      } catch (error) {
        signal?.throwIfAborted()
        if (!isLightFailure(error)) throw error
        throw verificationFailed(heightOf(verified), height, error)
      }
    }
    return trace
  } finally {
    next.abort()
  }
}

interface Advanced {
  readonly last: LightBlock
  readonly confirmedBy: readonly string[]
}

/**
 * Verifies the blocks after a trusted block until the target is verified or the trace is full, and cross-checks the
 * last verified block with the witnesses. Returns this block, and the names of the witnesses that have the same header.
 */
async function advance(context: Context, trusted: LightBlock, part: Part): Promise<Advanced> {
  const { settings, providers, rules } = context
  const { pivots, signal, onStep } = part
  const trace =
    settings.mode === 'sequential'
      ? await verifySequentially(context, trusted, part)
      : await bisect(trusted, { source: providers.primary(), pivots, rules, signal, onStep })
  const confirmedBy = await detectDivergence(context, trace, signal)
  return { last: trace.at(-1) as LightBlock, confirmedBy }
}

/**
 * Verifies a target above a trusted block, with the primary and the witnesses. If many blocks are between the trusted
 * block and the target, the verification is done in parts, and the last block of each part is saved. So the memory is
 * bounded, and if a call is interrupted, a later call continues from the last saved block. The caller saves the target.
 */
export async function verifyForwards(context: Context, from: LightBlock, goal: Goal): Promise<void> {
  const range = { from: heightOf(from), to: heightOf(goal.target) }
  const onStep = createStepLimit(context.settings.maxSteps, range)
  const pivots = createPivots(goal.target)
  let trusted = from
  for (;;) {
    const { last, confirmedBy } = await advance(context, trusted, { ...goal, pivots, onStep })
    trusted = last
    context.report({ direction: 'forwards', ...range, at: heightOf(trusted), confirmedBy })
    if (heightOf(trusted) === range.to) return
    await context.save(trusted)
  }
}
