import { joinSignals } from '@org/runtime'
import { findInvalidSignature } from '@org/types/crypto'
import type { LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, LightError, lightError } from '../errors.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { isBenign } from '../provider/errors.ts'
import type { Provider } from '../provider/port.ts'
import type { VerificationRules } from '../verifier/rules.ts'
import { DEFAULT_TRUST_LEVEL } from '../verifier/trust-level.ts'
import { verify } from '../verifier/verify.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { pivotOf } from './pivot-of.ts'
import type { Pivots } from './pivots.ts'
import { createScout, type Scout } from './scout.ts'
import { isTraceFull } from './trace.ts'

export interface Bisection {
  readonly source: Provider
  readonly pivots: Pivots
  readonly rules: () => VerificationRules
  readonly signal: AbortSignal | undefined
  /** Called before each verification. Throws if there were too many verifications. */
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

interface NextPivot {
  readonly bisection: Bisection
  readonly range: readonly [low: number, high: number]
  /**
   * The error of the last attempt: too few trusted validators signed the block at the upper height of `range`. If the
   * source does not have the pivot between the two heights of `range`, the bisection cannot continue, and throws this
   * error.
   */
  readonly reason: LightError
}

async function fetchPivot(scout: Scout, { bisection: { signal }, range, reason }: NextPivot): Promise<LightBlock> {
  const height = pivotOf(range[0], range[1])
  try {
    return await scout.fetch(height)
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
 * Calls `onSignatures` when the verification of signatures begins. The checks of the header have succeeded then. The
 * power of the signers may still be too small.
 */
function observed(rules: VerificationRules, onSignatures: () => void): VerificationRules {
  const { findInvalid = findInvalidSignature } = rules
  return {
    ...rules,
    findInvalid: (items) => {
      onSignatures()
      return findInvalid(items)
    },
  }
}

/**
 * Verifies by bisection from a trusted block to the target. The pivots are a list of blocks that are not verified yet:
 * the target, at depth 0, and the lower blocks that the bisection fetched. Each further pivot has a greater depth and a
 * lower height. The bisection first tries to verify the target. If too few trusted validators signed a pivot, the
 * bisection tries the next lower pivot. If no lower pivot exists, the bisection fetches a new one. While the signatures
 * of a block are verified, the next pivots are fetched.
 *
 * Returns the trace, which is the list of the verified blocks. Its first block is the trusted block, and its last block
 * is the target. The size of a trace is limited. If the trace is full before the target is verified, its last block is
 * below the target, and the pivots are kept for the next call.
 *
 * There are at most 65 pivots. The distance from the trusted block to a new pivot is at most 9/16 of the distance to
 * the pivot above it, and a height is below 2^53. Source: `verifySkipping` of the reference.
 */
export async function bisect(trusted: LightBlock, bisection: Bisection): Promise<readonly LightBlock[]> {
  const { source, signal, pivots, rules } = bisection
  const scout = createScout({
    trustLevel: rules().trustLevel ?? DEFAULT_TRUST_LEVEL,
    fetch: (height, stop) => {
      const request = joinSignals(stop, signal)
      return askProvider(source, height, { signal: request.signal }).finally(request.unlink)
    },
    onForecast: (from, to) => attempts.expect(from, to),
    onWrongForecast: () => attempts.forget(),
  })
  const attempts = createAttempts({
    attempt: (from, to, onSignatures) => attempt(from, to, observed(rules(), onSignatures)),
    onSignatures: (block) => scout.begin(block, pivots.heldAbove(depthOf(pivots, block))),
  })
  try {
    return await bisectWith({ scout, attempts }, trusted, bisection)
  } finally {
    scout.stop()
  }
}

/**
 * Returns the depth of a block. The depth is the index of the block in the list of pivots. The target has the depth 0.
 * For a block that is not in the list, the function also returns 0.
 */
function depthOf(pivots: Pivots, { header }: LightBlock): number {
  let depth = pivots.depth() - 1
  while (depth > 0 && pivots.heightAt(depth) !== header.height) depth--
  return depth
}

interface Parts {
  readonly scout: Scout
  readonly attempts: Attempts
}

async function bisectWith(
  { scout, attempts }: Parts,
  trusted: LightBlock,
  bisection: Bisection,
): Promise<readonly LightBlock[]> {
  const { pivots, signal, onStep } = bisection
  const trace = [trusted]
  let verified = trusted
  let depth = 0
  scout.begin(trusted, pivots.heldAbove(pivots.depth()))
  for (;;) {
    signal?.throwIfAborted()
    onStep()
    const [from, to] = [verified.header.height, pivots.heightAt(depth)]
    const block = await pivots.at(depth, scout.fetch)
    const error = await attempts.verify(verified, block)
    if (error === undefined) {
      trace.push(block)
      if (depth === 0) return trace
      verified = block
      pivots.truncate(depth)
      depth = 0
      if (isTraceFull(trace)) return trace
    } else if (error.code === LIGHT_ERRORS.notEnoughTrust) {
      if (depth === pivots.depth() - 1) {
        pivots.push(await fetchPivot(scout, { bisection, range: [from, to], reason: error }))
      }
      depth++
    } else throw verificationFailed(from, to, error)
  }
}
