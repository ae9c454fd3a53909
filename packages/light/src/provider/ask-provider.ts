import type { LightBlock } from '../block/light-block.ts'
import type { LightBlockOptions, Provider } from './port.ts'

/**
 * Requests a block from a provider. If the provider of a user throws an error at once, the returned promise rejects
 * with this error, as it does for every other failure. So the code that handles a rejection also runs.
 */
export async function askProvider(
  provider: Provider,
  height: number | undefined,
  options?: LightBlockOptions,
): Promise<LightBlock> {
  return provider.lightBlock(height, options)
}
