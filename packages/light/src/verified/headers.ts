import type { Clock } from '@org/runtime'
import { heightOf, type LightBlock } from '../block/light-block.ts'
import type { LightClient } from '../client/light-client.ts'
import { noTrustedBlock } from '../client/options.ts'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import { isBenign } from '../provider/errors.ts'

/** The pause in milliseconds between two requests for the next block. */
const PAUSE_MS = 500

export interface HeadersOptions {
  /** The maximum number of milliseconds to wait for a block that the chain has not made yet. */
  readonly maxWaitMs: number
}

/** The verified headers with which answers are compared. */
export interface Headers {
  /** Returns the verified block at a height; without a height, the latest block. */
  readonly at: (height: number | undefined, signal: AbortSignal | undefined) => Promise<LightBlock>
  /** Returns the verified block at a height. Waits if the chain does not have the block yet. */
  readonly soon: (height: number, signal: AbortSignal | undefined) => Promise<LightBlock>
}

export function createHeaders(
  { maxWaitMs }: HeadersOptions,
  { light, clock }: { readonly light: LightClient; readonly clock: Clock },
): Headers {
  async function latest(signal: AbortSignal | undefined): Promise<LightBlock> {
    const options = signal === undefined ? {} : { signal }
    const block = (await light.update(options)) ?? (await light.trustedBlock())
    if (block !== undefined) return block
    throw noTrustedBlock()
  }
  const at: Headers['at'] = (height, signal) =>
    height === undefined ? latest(signal) : light.verifyAtHeight(height, signal === undefined ? {} : { signal })

  /** Returns `undefined` if the chain does not have the block yet. */
  async function tryAt(height: number, signal: AbortSignal | undefined): Promise<LightBlock | undefined> {
    const last = (await light.lastTrustedHeight()) ?? 0
    const block = height > last ? await latest(signal) : await at(height, signal)
    if (heightOf(block) < height) return undefined
    return heightOf(block) === height ? block : at(height, signal)
  }

  return {
    at,
    soon: async (height, signal) => {
      const start = clock.monotonic()
      for (;;) {
        signal?.throwIfAborted()
        // The time limit `maxWaitMs` covers the requests and the pauses. If it covered only the pauses, a slow node
        // could make the call longer.
        const isOver = (): boolean => clock.monotonic() - start >= maxWaitMs
        try {
          const block = await tryAt(height, signal)
          if (block !== undefined) return block
        } catch (error) {
          // One node of the light client may have the block earlier than another node, so the same request may succeed
          // later.
          if (isOver() || !isBenign(error)) throw error
        }
        if (isOver()) throw tooHigh(light.providers().primary.name, height)
        await clock.sleep(PAUSE_MS, signal)
      }
    },
  }
}

function tooHigh(provider: string, height: number): LightError {
  const message = `${provider} has not reached the block at height ${height}, whose header is needed: try again`
  return lightError(LIGHT_ERRORS.heightTooHigh, message, { data: { provider, height } })
}
