import type { LightClientAttackEvidence } from '@org/types'
import type { LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS } from '../errors.ts'
import { checkBlock } from '../provider/check-block.ts'
import { providerError } from '../provider/errors.ts'
import type { Provider } from '../provider/port.ts'

/** The options of {@link createMemoryProvider}. */
export interface MemoryProviderOptions {
  readonly chainId: string
  readonly name: string
}

/** A provider of blocks in memory. */
export interface MemoryProvider extends Provider {
  /** The evidence that was reported to this provider. */
  readonly evidence: readonly LightClientAttackEvidence[]
  /** The requested heights; 0 for the latest block. */
  readonly asked: readonly number[]
}

/**
 * Makes a provider of given blocks, for tests. The caller may change `blocks` at any time, for example to add blocks or
 * to make the provider lie.
 */
export function createMemoryProvider(
  { chainId, name }: MemoryProviderOptions,
  blocks: ReadonlyMap<number, LightBlock>,
): MemoryProvider {
  const evidence: LightClientAttackEvidence[] = []
  const asked: number[] = []
  const latest = (): number => {
    let highest = 0
    for (const height of blocks.keys()) highest = Math.max(highest, height)
    return highest
  }
  const provider: MemoryProvider = {
    chainId,
    name,
    evidence,
    asked,
    lightBlock: async (height, { signal } = {}) => {
      signal?.throwIfAborted()
      asked.push(height ?? 0)
      const highest = latest()
      const block = blocks.get(height ?? highest)
      if (block === undefined) {
        const isHigher = height !== undefined && height > highest
        throw providerError(isHigher ? LIGHT_ERRORS.heightTooHigh : LIGHT_ERRORS.notFound, { provider: name, height })
      }
      checkBlock(provider, height, block)
      return block
    },
    reportEvidence: async (given) => void evidence.push(given),
  }
  return provider
}
