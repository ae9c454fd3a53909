import {
  byzantineValidators,
  isConflictingHeaderInvalid,
  type LightClientAttackEvidence,
  totalVotingPower,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { hashOf, heightOf, type LightBlock, lightBlockToWire } from '../block/light-block.ts'
import { LIGHT_ERRORS, LightError, lightError } from '../errors.ts'
import type { Provider } from '../provider/port.ts'
import { bisect } from './bisect.ts'
import type { Context } from './context.ts'
import { createPivots } from './pivots.ts'
import { createStepLimit, isTraceFull } from './trace.ts'

export interface Conflict {
  /**
   * The blocks of the primary that were verified. The first block is the trusted block, from which the verification
   * began.
   */
  readonly trace: readonly LightBlock[]
  /** A block of the witness. It contradicts the last block in the member `trace`. */
  readonly conflicting: LightBlock
  readonly witness: Provider
  readonly signal: AbortSignal | undefined
}

/**
 * The result of a comparison between two nodes. The compared trace is a list of verified blocks of one node. The source
 * is the other node. `divergent` is the first block of the compared trace that contradicts the blocks of the source.
 */
interface Divergence {
  /**
   * The verified blocks of the source. The first block is the newest block that both nodes have. The last block
   * contradicts the block `divergent` of the compared trace.
   */
  readonly trace: readonly [LightBlock, ...LightBlock[]]
  readonly divergent: LightBlock
}

interface Examination {
  readonly trace: readonly LightBlock[]
  readonly target: LightBlock
  readonly source: Provider
  readonly signal: AbortSignal | undefined
}

const noDivergence = ({ name: provider }: Provider, reason: string): LightError =>
  lightError(LIGHT_ERRORS.badBlock, `${provider}: ${reason}`, { data: { provider } })

/**
 * Verifies the blocks of a source from `from` to `target` by bisection, and returns the verified blocks. A source that
 * lies must not make the examination long or large. So the number of steps is bounded, and only the first block and the
 * last blocks are kept in memory.
 */
async function verifyPath(context: Context, from: LightBlock, { target, source, signal }: Examination) {
  const range = { from: heightOf(from), to: heightOf(target) }
  const onStep = createStepLimit(context.settings.maxSteps, range)
  const pivots = createPivots(target)
  let verified: readonly LightBlock[] = [from]
  for (;;) {
    const last = verified.at(-1) as LightBlock
    const part = await bisect(last, { source, pivots, rules: context.rules, signal, onStep })
    // If the list of verified blocks becomes full, blocks between its first block and its last block are removed. The
    // remaining blocks are still a verified path from the first block to the last block.
    verified = isTraceFull(verified) ? [from, ...part] : [...verified, ...part.slice(1)]
    if (heightOf(part.at(-1) as LightBlock) === range.to) return verified as Divergence['trace']
  }
}

/**
 * Compares two nodes after they sent different blocks. `trace` has verified blocks of one node. The other node is
 * `source`. Each block of `trace` is compared with the block of `source` at the same height, until two blocks differ.
 * The blocks of `source` are verified too. Throws if they cannot be verified, or if no block differs.
 *
 * This function corresponds to `examineConflictingHeaderAgainstTrace` in the reference's `light/detector.go`.
 */
async function examine(context: Context, examination: Examination): Promise<Divergence> {
  const { trace, target, source, signal } = examination
  const [first, ...others] = trace as Divergence['trace']
  if (heightOf(target) < heightOf(first))
    throw noDivergence(source, 'the conflicting block has a lower height than the trusted block')
  const blockAt = (height: number): Promise<LightBlock> | LightBlock =>
    height === heightOf(target) ? target : source.lightBlock(height, signal === undefined ? {} : { signal })

  let verified = await blockAt(heightOf(first))
  if (!equalBytes(hashOf(verified), hashOf(first)))
    throw noDivergence(source, 'the source has another block at the height of the trusted block')
  for (const block of others) {
    // `block`, a block of the primary, is higher than `target`, the latest block of the witness. This happens only in
    // an attack in which the primary sends a header of a height that the chain has not reached yet. `block` and
    // `target` contradict each other if the time of `block` is not later than the time of `target`.
    if (heightOf(block) > heightOf(target)) {
      if (block.header.time > target.header.time)
        throw noDivergence(source, "the later block does not have an earlier time than the source's last block")
      const way =
        heightOf(verified) === heightOf(target) ? [verified] : await verifyPath(context, verified, examination)
      return { trace: way as Divergence['trace'], divergent: block }
    }
    const theirs = await blockAt(heightOf(block))
    const way = await verifyPath(context, verified, { ...examination, target: theirs })
    if (!equalBytes(hashOf(theirs), hashOf(block))) return { trace: way, divergent: block }
    verified = theirs
  }
  throw noDivergence(source, 'the source has the same block at every height of the trace')
}

/**
 * Makes the evidence of an attack. `trace` has blocks of one chain. Validators of this chain also signed the block
 * `divergent`, which contradicts the chain. Source: `newLightClientAttackEvidence` of the reference.
 */
function evidenceOf({ trace, divergent }: Divergence): LightClientAttackEvidence {
  const [common] = trace
  const trusted = trace.at(-1) as LightBlock
  const conflictingBlock = lightBlockToWire(divergent)
  const bare = { conflictingBlock, commonHeight: 0, byzantineValidators: [], totalVotingPower: 0n, timestamp: 0n }
  // The header of a lunatic attack has wrong values in fields that the chain determines, such as the validators hash.
  // Then the evidence has the height, the time and the total power of the last block that both nodes have in common. In
  // all other attacks, both headers have the same validators. Then the evidence has the height, the time and the total
  // power of the trusted block.
  const base = isConflictingHeaderInvalid(bare, trusted.header) ? common : trusted
  const { header, commit } = trusted
  return {
    conflictingBlock,
    commonHeight: heightOf(base),
    byzantineValidators: byzantineValidators(bare, common.validators, { header, commit }),
    totalVotingPower: totalVotingPower(base.validators),
    timestamp: base.header.time,
  }
}

interface Report {
  readonly to: Provider
  readonly about: Provider
  readonly evidence: LightClientAttackEvidence
}

/**
 * Sends evidence to `to`. Sends it even if the call was aborted, because evidence is sent only once. Returns a list
 * with the name of `to`, or an empty list if sending failed.
 */
async function send({ logger }: Context, { to, about, evidence }: Report): Promise<readonly string[]> {
  const names = { to: to.name, about: about.name, height: evidence.commonHeight }
  logger.error('Detected an attack, sending evidence', names)
  try {
    await to.reportEvidence(evidence)
    return [to.name]
  } catch (error) {
    logger.error('Failed to send evidence of an attack', { ...names, err: error })
    return []
  }
}

/**
 * Compares the trace of one node with the blocks of the node `source`, as `examine` does. Returns `undefined` if the
 * blocks of `source` cannot be verified. Throws if the call was aborted, if the number of steps reached its limit, or
 * if an error is not a fault of `source`.
 */
async function tryExamine(context: Context, examination: Examination): Promise<Divergence | undefined> {
  try {
    return await examine(context, examination)
  } catch (error) {
    examination.signal?.throwIfAborted()
    // An error that is not a `LightError` is not a fault of the node `source`. The error `LIGHT_TOO_MANY_STEPS` does
    // not show whether the blocks of `source` are valid. So this function throws all these errors.
    if (!(error instanceof LightError) || error.code === LIGHT_ERRORS.tooManySteps) throw error
    context.logger.info('Failed to verify a conflicting header', { source: examination.source.name, err: error })
    return undefined
  }
}

/**
 * Examines a conflict between the primary and a witness. Returns if the header of the witness cannot be verified,
 * because then the witness is wrong. Otherwise sends evidence against the primary to the witness. If the blocks of the
 * primary can be verified too, sends evidence against the witness to the primary. Then throws {@link LightError}
 * (`LIGHT_ATTACK`). Source: `handleConflictingHeaders` in the reference's `light/detector.go`.
 */
export async function reportAttack(context: Context, { trace, conflicting, witness, signal }: Conflict): Promise<void> {
  const found = await tryExamine(context, { trace, target: conflicting, source: witness, signal })
  if (found === undefined) return
  const primary = context.providers.primary()
  const againstPrimary = evidenceOf(found)
  const receivers = [await send(context, { to: witness, about: primary, evidence: againstPrimary })]

  // The node that lies may be the witness. So the primary's blocks are now compared with the witness's blocks in the
  // same way. The caller's signal does not abort this comparison, because the client stops after an attack and cannot
  // repeat the comparison.
  const reverse = { trace: found.trace, target: found.divergent, source: primary, signal: undefined }
  // The attack is already detected. So an error in this second comparison is ignored.
  const againstWitness = await tryExamine(context, reverse)
    .then((other) => other && evidenceOf(other))
    .catch(() => undefined)
  if (againstWitness) {
    receivers.push(await send(context, { to: primary, about: witness, evidence: againstWitness }))
  }
  const data = {
    height: heightOf(found.divergent),
    commonHeight: heightOf(found.trace[0]),
    primary: primary.name,
    witness: witness.name,
    againstPrimary,
    ...(againstWitness && { againstWitness }),
  }
  const message = `an attack: ${primary.name} and ${witness.name} have different valid headers after height ${data.commonHeight}. Evidence was sent to ${receivers.flat().join(' and ') || 'no server'}. Find out which is right, and begin again with a header that you trust`
  context.attack = lightError(LIGHT_ERRORS.attack, message, { data })
  throw context.attack
}
