import { validateLightBlockBasic } from '@org/types'
import { type LightBlock, lightBlockToWire } from '../block/light-block.ts'
import { LIGHT_ERRORS } from '../errors.ts'
import { providerError } from './errors.ts'
import type { Provider } from './port.ts'

/**
 * Throws {@link LightError} (`LIGHT_BAD_BLOCK`) unless the block is well formed, belongs to the provider's chain, and
 * has the requested height.
 */
export function checkBlock({ chainId, name }: Provider, height: number | undefined, block: LightBlock): void {
  const details = { provider: name, height }
  const got = block.header.height
  if (height !== undefined && got !== height) {
    throw providerError(LIGHT_ERRORS.badBlock, { ...details, reason: `the block has height ${got}, not ${height}` })
  }
  try {
    validateLightBlockBasic(lightBlockToWire(block), chainId)
  } catch (cause) {
    throw providerError(LIGHT_ERRORS.badBlock, { ...details, reason: (cause as Error).message, cause })
  }
}
