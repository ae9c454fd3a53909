import type { LightBlock } from '../block/light-block.ts'
import type { LightBlockOptions, Provider } from './port.ts'

/**
 * Requests a block from a provider. The function `lightBlock` of a provider that a user wrote may throw an error before
 * it returns a promise. Then the promise that `askProvider` returns rejects with this error. So the caller handles
 * every error of a provider as a rejection.
 */
export async function askProvider(
  provider: Provider,
  height: number | undefined,
  options?: LightBlockOptions,
): Promise<LightBlock> {
  return provider.lightBlock(height, options)
}
