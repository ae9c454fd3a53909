import { heightOf, type LightBlock } from '../block/light-block.ts'
import { checkOwnCommit } from '../verifier/new-header.ts'
import { verifyBackwards } from '../verifier/verify-backwards.ts'
import type { Context } from './context.ts'
import type { Goal } from './forwards.ts'
import { createStepLimit } from './trace.ts'

/**
 * Verifies a target before the first trusted block, one header after the other: each header contains the hash of the
 * one before. Holds one header at a time. The commit of the target is verified too, because the header of the target does
 * not cover it. Source: `backwards` of the reference, which verifies no commit.
 */
export async function verifyBackwardsTo(context: Context, from: LightBlock, { target, signal }: Goal): Promise<void> {
  const range = { from: heightOf(from), to: heightOf(target) }
  const onStep = createStepLimit(context.settings.maxSteps, range)
  let verified = from.header
  while (verified.height > range.to) {
    signal?.throwIfAborted()
    onStep()
    const height = verified.height - 1
    const { header } = height === range.to ? target : await context.providers.block(height, signal)
    verifyBackwards(header, verified)
    verified = header
    context.report({ direction: 'backwards', ...range, at: verified.height })
  }
  await checkOwnCommit(from.header, target, context.rules())
}
