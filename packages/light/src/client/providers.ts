import { joinSignals, type Logger } from '@org/runtime'
import type { ValidatorSet } from '@org/types'
import type { LightBlock } from '../block/light-block.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { isBenign } from '../provider/errors.ts'
import type { Provider } from '../provider/port.ts'
import { inOrderOfCompletion } from './completion.ts'
import { noWitnesses } from './options.ts'

/** Witnesses that must be removed, and the fault of each. */
export type Faults = ReadonlyMap<Provider, unknown>

/** The primary and its witnesses. A witness replaces a primary that fails. */
export interface Providers {
  readonly primary: () => Provider
  readonly witnesses: () => readonly Provider[]
  /**
   * Returns the block of the primary, or of the witness that replaces the primary. Throws the last error of the
   * witnesses if no provider has the block.
   */
  readonly block: (height: number | undefined, signal: AbortSignal | undefined) => Promise<LightBlock>
  /** Requests a block from the primary before the block is needed. */
  readonly ahead: (height: number, options: AheadOptions) => BlockAhead
  /**
   * Replaces the primary by the first witness that has the block. The old primary is removed, or becomes the last
   * witness.
   */
  readonly replacePrimary: (request: Replacement) => Promise<LightBlock>
  /**
   * Removes the witnesses in `faults`. If no witness would be left, removes none of them, and throws {@link LightError}
   * (`LIGHT_NO_WITNESSES`).
   */
  readonly removeWitnesses: (faults: Faults) => void
}

export interface AheadOptions {
  readonly signal: AbortSignal | undefined
  /**
   * The validator set that the block has according to the header before it, which may not be verified yet. If the block
   * has this set, its validators are not fetched.
   */
  readonly validators: ValidatorSet | undefined
}

/** The request for a block that is not needed yet. */
export interface BlockAhead {
  /**
   * Resolves to the block, as `Providers.block` does. If the request fails, the primary is replaced, but only after a
   * call of `wait`. Until then, the primary stays. So a caller that finds a wrong block of the primary before it calls
   * `wait` can still remove this primary.
   */
  readonly wait: () => Promise<LightBlock>
  readonly abort: () => void
}

export interface Replacement {
  readonly height: number | undefined
  /** True if the old primary is removed and never used again. False if it becomes the last witness. */
  readonly remove: boolean
  /** The error because of which the primary is replaced. */
  readonly cause: unknown
  readonly signal: AbortSignal | undefined
}

interface Answer {
  readonly witness: Provider
  readonly block?: LightBlock
  readonly error?: unknown
}

async function fetchFrom(witness: Provider, height: number | undefined, signal: AbortSignal): Promise<Answer> {
  try {
    return { witness, block: await witness.lightBlock(height, { signal }) }
  } catch (error) {
    return { witness, error }
  }
}

export function createProviders(first: Provider, others: readonly Provider[], logger: Logger): Providers {
  let primary = first
  let witnesses = others

  function removeWitnesses(removed: Faults): void {
    if (removed.size === 0) return
    const remaining = witnesses.filter((witness) => !removed.has(witness))
    if (remaining.length === 0) throw noWitnesses([...removed.values()].at(-1))
    witnesses = remaining
  }

  /** Makes a witness the primary, but only if another witness is left: a primary must not be its own witness. */
  function promote(witness: Provider, bad: Faults, { remove, cause }: Replacement): void {
    const remaining = witnesses.filter((other) => other !== witness && !bad.has(other))
    const next = remove ? remaining : [...remaining, primary]
    if (next.length === 0) throw noWitnesses(cause)
    logger.info('Replaced the primary', { old: primary.name, new: witness.name, removed: remove })
    primary = witness
    witnesses = next
  }

  async function replacePrimary(request: Replacement): Promise<LightBlock> {
    const { height, cause, signal } = request
    if (witnesses.length === 0) throw noWitnesses(cause)
    const requests = joinSignals(signal)
    const bad = new Map<Provider, unknown>()
    let last: unknown
    try {
      const answers = witnesses.map((witness) => fetchFrom(witness, height, requests.signal))
      for await (const { witness, block, error } of inOrderOfCompletion(answers)) {
        signal?.throwIfAborted()
        if (block !== undefined) {
          promote(witness, bad, request)
          return block
        }
        last = error
        if (!isBenign(error)) bad.set(witness, error)
        logger.info('A witness failed to replace the primary', { witness: witness.name, err: error })
      }
    } finally {
      requests.abort()
    }
    if (bad.size < witnesses.length) removeWitnesses(bad)
    throw last
  }

  async function waitFor(
    answer: Promise<LightBlock>,
    { height, signal }: Pick<Replacement, 'height' | 'signal'>,
  ): Promise<LightBlock> {
    try {
      return await answer
    } catch (error) {
      signal?.throwIfAborted()
      logger.info('The primary did not send a block', { primary: primary.name, height, err: error })
      return replacePrimary({ height, remove: !isBenign(error), cause: error, signal })
    }
  }

  return {
    primary: () => primary,
    witnesses: () => witnesses,
    block: (height, signal) => waitFor(askProvider(primary, height, signal && { signal }), { height, signal }),
    ahead: (height, { signal, validators }) => {
      const request = joinSignals(signal)
      const answer = askProvider(primary, height, { signal: request.signal, ...(validators && { validators }) })
      // The caller may never call `wait`. A rejection would then have no handler, so a handler is added.
      answer.then(request.unlink, request.unlink)
      return { wait: () => waitFor(answer, { height, signal }), abort: request.abort }
    },
    replacePrimary,
    removeWitnesses,
  }
}
