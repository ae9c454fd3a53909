import type { HeaderServer } from '@org/engine'
import { LIGHT_ERRORS, type Provider } from '@org/light'
import { isCodedError } from '@org/runtime'

/**
 * Makes a {@link HeaderServer} from a provider of the light client. The header server gets its headers from this
 * provider.
 */
export function createHeaderServer({ name, lightBlock }: Pick<Provider, 'name' | 'lightBlock'>): HeaderServer {
  return {
    name,
    blockAt: async (height, request) => {
      try {
        return await lightBlock(height, request)
      } catch (error) {
        if (isCodedError(error, LIGHT_ERRORS.notFound)) return undefined
        throw error
      }
    },
  }
}
