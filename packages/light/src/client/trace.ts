import type { LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, lightError } from '../errors.ts'

/**
 * The maximum number of verified blocks in a trace, without its first block. A trace is the list of the blocks that one
 * verification accepted. Its first block is the trusted block.
 */
const MAX_BLOCKS = 128
const MAX_VALIDATORS = 50_000

/**
 * True if the verified blocks should be cross-checked and saved before the verification continues. This bounds the
 * memory.
 */
export function isTraceFull(trace: readonly LightBlock[]): boolean {
  if (trace.length > MAX_BLOCKS) return true
  let validators = 0
  for (const block of trace) validators += block.validators.validators.length
  return trace.length > 1 && validators > MAX_VALIDATORS
}

/**
 * Makes a function that counts the steps of a call. It throws {@link LightError} (`LIGHT_TOO_MANY_STEPS`) after `limit`
 * steps.
 */
export function createStepLimit(limit: number, range: { readonly from: number; readonly to: number }): () => void {
  let steps = 0
  return () => {
    if (++steps <= limit) return
    const message = `the verification from height ${range.from} to ${range.to} takes more than ${limit} steps: call again to continue, raise maxSteps, or trust a header that is nearer to height ${range.to}`
    throw lightError(LIGHT_ERRORS.tooManySteps, message, { data: { ...range, limit } })
  }
}
