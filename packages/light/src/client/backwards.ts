import { heightOf, type LightBlock } from '../block/light-block.ts'
import { checkOwnCommit } from '../verifier/new-header.ts'
import { verifyBackwards } from '../verifier/verify-backwards.ts'
import type { Context } from './context.ts'
import type { Goal } from './forwards.ts'
import { createStepLimit } from './trace.ts'

/**
 * The number of verified headers after which the client saves a block. If the call is interrupted, the next call
 * continues from the last saved block.
 */
const SAVE_EVERY = 128

/**
 * Verifies a target below a trusted block, one header after the other. Each header contains the hash of the header
 * below it, so a trusted header proves the header below it. Only one block is in memory at a time. The commit of each
 * saved block is verified too, because no header's hash covers this commit.
 *
 * Source: `backwards` of the reference, which verifies no commit.
 */
export async function verifyBackwardsTo(context: Context, from: LightBlock, { target, signal }: Goal): Promise<void> {
  const { settings, providers, rules, report, save } = context
  const range = { from: heightOf(from), to: heightOf(target) }
  const onStep = createStepLimit(settings.maxSteps, range)
  let verified = from.header
  while (verified.height > range.to) {
    signal?.throwIfAborted()
    onStep()
    const height = verified.height - 1
    const block = height === range.to ? target : await providers.block(height, signal)
    verifyBackwards(block.header, verified)
    verified = block.header
    report({ direction: 'backwards', ...range, at: height })
    if (height === range.to || (range.from - height) % SAVE_EVERY !== 0) continue
    await checkOwnCommit(from.header, block, rules())
    await save(block)
  }
  await checkOwnCommit(from.header, target, rules())
}
