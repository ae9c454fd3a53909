import type { LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, LightError, lightError } from '../errors.ts'
import { isBenign } from '../provider/errors.ts'
import type { Provider } from '../provider/port.ts'
import type { VerificationRules } from '../verifier/rules.ts'
import { verify } from '../verifier/verify.ts'
import type { Pivots } from './pivots.ts'
import { isTraceFull } from './trace.ts'

/** The next pivot lies at 9/16 of the gap: above the middle, where the reference asks too. */
const [PIVOT_NUMERATOR, PIVOT_DENOMINATOR] = [9, 16]

const pivotOf = (low: number, high: number): number => {
  const gap = high - low
  // In two parts: the product could exceed the safe integers.
  const whole = Math.floor(gap / PIVOT_DENOMINATOR)
  return low + whole * PIVOT_NUMERATOR + Math.floor(((gap % PIVOT_DENOMINATOR) * PIVOT_NUMERATOR) / PIVOT_DENOMINATOR)
}

export interface Bisection {
  readonly source: Provider
  readonly pivots: Pivots
  readonly rules: () => VerificationRules
  readonly signal: AbortSignal | undefined
  /** Called before each verification; throws if there were too many. */
  readonly onStep: () => void
}

export function verificationFailed(from: number, to: number, cause: unknown): LightError {
  const { code = 'UNKNOWN', message } = cause as { readonly code?: string; readonly message: string }
  const data = { from, to, cause: code }
  return lightError(
    LIGHT_ERRORS.verificationFailed,
    `the verification from height ${from} to ${to} failed: ${message}`,
    { data, cause },
  )
}

/** Fetches the next pivot, and throws `reason` if the source cannot have it. */
async function fetchPivot({ source, signal }: Bisection, range: readonly [number, number], reason: LightError) {
  const height = pivotOf(range[0], range[1])
  try {
    return await source.lightBlock(height, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw isBenign(error) ? reason : verificationFailed(range[0], height, error)
  }
}

async function attempt(
  trusted: LightBlock,
  block: LightBlock,
  rules: VerificationRules,
): Promise<LightError | undefined> {
  try {
    await verify(trusted, block, rules)
    return undefined
  } catch (error) {
    if (error instanceof LightError) return error
    throw error
  }
}

/**
 * Verifies by bisection from a trusted block towards the target at depth 0 of the pivots: it tries the farthest block,
 * and, while too few trusted validators signed it, a nearer one. Returns the verified blocks, the trusted one first. It
 * ends at the target, or before when the trace is full; then the pivots are kept for the next call.
 *
 * Each failed attempt makes the gap smaller, so at most 65 pivots are held. Source: `verifySkipping` of the reference.
 */
export async function bisect(trusted: LightBlock, bisection: Bisection): Promise<readonly LightBlock[]> {
  const { source, pivots, rules, signal, onStep } = bisection
  const trace = [trusted]
  let verified = trusted
  let depth = 0
  const fetch = (height: number): Promise<LightBlock> =>
    source.lightBlock(height, signal === undefined ? {} : { signal })
  for (;;) {
    signal?.throwIfAborted()
    onStep()
    const [from, to] = [verified.header.height, pivots.heightAt(depth)]
    const block = await pivots.at(depth, fetch)
    const error = await attempt(verified, block, rules())
    if (error === undefined) {
      trace.push(block)
      if (depth === 0) return trace
      verified = block
      pivots.truncate(depth)
      depth = 0
      if (isTraceFull(trace)) return trace
    } else if (error.code === LIGHT_ERRORS.notEnoughTrust) {
      if (depth === pivots.depth() - 1) pivots.push(await fetchPivot(bisection, [from, to], error))
      depth++
    } else throw verificationFailed(from, to, error)
  }
}
