import { joinSignals } from '@org/runtime'
import { hashProposerPriorities } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { hashOf, heightOf, type LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import type { Provider } from '../provider/port.ts'
import { reportAttack } from './attack.ts'
import { type Comparison, compareWithWitness } from './compare.ts'
import { inOrderOfCompletion } from './completion.ts'
import type { Context } from './context.ts'
import { noWitnesses } from './options.ts'

/**
 * Compares a block with the blocks of all witnesses at the same time. Calls `onComparison` for each witness when its
 * comparison is complete. If `onComparison` throws, the other requests are aborted.
 */
async function compareWithAll(
  context: Context,
  { block, signal }: { readonly block: LightBlock; readonly signal: AbortSignal | undefined },
  onComparison: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const witnesses = context.providers.witnesses()
  if (witnesses.length === 0) throw noWitnesses()
  const requests = joinSignals(signal)
  const comparisons = witnesses.map((witness) =>
    compareWithWitness(context, block, { witness, signal: requests.signal }),
  )
  try {
    for await (const comparison of inOrderOfCompletion(comparisons)) await onComparison(comparison)
  } finally {
    requests.abort()
  }
}

function otherHeader(ours: LightBlock, block: LightBlock, witness: Provider): LightError {
  const [expected, got] = [bytesToHex(hashOf(ours)), bytesToHex(hashOf(block))]
  const height = heightOf(ours)
  const message = `${witness.name} has another header at height ${height}: ${got}, not ${expected}. One of the two nodes is wrong: compare the header with a third node`
  return lightError(LIGHT_ERRORS.conflict, message, { data: { height, other: witness.name, expected, got } })
}

function otherPriorities(ours: LightBlock, block: LightBlock, witness: Provider): LightError {
  const [expected = '', got = ''] = [ours, block].map(({ validators }) =>
    bytesToHex(hashProposerPriorities(validators)),
  )
  const height = heightOf(ours)
  const message = `${witness.name} has other proposer priorities at height ${height}: one of the two nodes is wrong, and no evidence can show which`
  return lightError(LIGHT_ERRORS.priorities, message, { data: { height, other: witness.name, expected, got } })
}

/**
 * Cross-checks the last block of a verified trace with all witnesses. If a witness has another valid header, evidence
 * is sent to the primary and to the witness. Returns the names of the witnesses that have the same header.
 *
 * Throws {@link LightError}: `LIGHT_ATTACK`, `LIGHT_PROPOSER_PRIORITIES`, `LIGHT_UNCONFIRMED` if no witness has the
 * same header, `LIGHT_NO_WITNESSES`. Source: `detectDivergence` in the reference's `light/detector.go`.
 */
export async function detectDivergence(
  context: Context,
  trace: readonly LightBlock[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { providers, logger } = context
  const block = trace.at(-1) as LightBlock
  const bad = new Map<Provider, unknown>()
  const confirmedBy: string[] = []
  await compareWithAll(context, { block, signal }, async (comparison) => {
    const { witness, kind } = comparison
    if (kind === 'match') confirmedBy.push(witness.name)
    else if (kind === 'priorities') throw otherPriorities(block, comparison.block, witness)
    else if (kind === 'conflict') {
      await reportAttack(context, { trace, conflicting: comparison.block, witness, signal })
      bad.set(witness, otherHeader(block, comparison.block, witness))
    } else {
      logger.info('A witness did not confirm a header', { witness: witness.name, err: comparison.error })
      if (kind === 'bad') bad.set(witness, comparison.error)
    }
  })
  providers.removeWitnesses(bad)
  if (confirmedBy.length > 0) return confirmedBy
  const height = heightOf(block)
  const message = `no witness confirmed the header at height ${height}: try again, or give the client other witnesses`
  throw lightError(LIGHT_ERRORS.unconfirmed, message, { data: { height } })
}

/**
 * Compares the block to trust with the blocks of all witnesses. Ignores witnesses that do not answer, and removes
 * witnesses with invalid answers. Throws {@link LightError}: `LIGHT_CONFLICTING_HEADER`, `LIGHT_PROPOSER_PRIORITIES`.
 * Source: `compareFirstLightBlockWithWitnesses` of the reference.
 */
export async function compareTrustRoot(
  context: Context,
  block: LightBlock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { providers, logger } = context
  const bad = new Map<Provider, unknown>()
  await compareWithAll(context, { block, signal }, async (comparison) => {
    const { witness, kind } = comparison
    if (kind === 'conflict') throw otherHeader(block, comparison.block, witness)
    if (kind === 'priorities') throw otherPriorities(block, comparison.block, witness)
    if (kind === 'match') return
    logger.info('A witness did not confirm the first header', { witness: witness.name, err: comparison.error })
    if (kind === 'bad') bad.set(witness, comparison.error)
  })
  try {
    providers.removeWitnesses(bad)
  } catch (error) {
    logger.error('Failed to remove witnesses', { err: error })
  }
}
