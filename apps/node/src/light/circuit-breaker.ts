import { isLightFailure, LIGHT_ERRORS, LightError, type Provider } from '@org/light'
import { isRpcFailure, RPC_CLIENT_ERRORS } from '@org/rpc/client'
import type { Clock } from '@org/runtime'

/** The time in milliseconds for which a node that did not answer is not asked again. */
const PAUSE_MS = 10_000

/**
 * True if the node sent no answer, or only a part of an answer. An error that the node sent is an answer. If such an
 * error counted as silence, a client could block all requests to this node: the client would only have to request a
 * block for which the node sends an error.
 */
function isSilence(error: unknown): boolean {
  if (!isLightFailure(error) || error.code !== LIGHT_ERRORS.noResponse) return false
  const { cause } = error
  return cause instanceof DOMException || (isRpcFailure(cause) && cause.code === RPC_CLIENT_ERRORS.transport)
}

/**
 * Returns a provider that sends no request to a node for 10 s after the node did not answer a request. In these 10 s,
 * the node rests: each request fails immediately with `LIGHT_NO_RESPONSE`. The reason is that the light client compares
 * each new header with all witnesses. Without the rest, a witness that does not answer would delay each comparison by
 * up to 20 s, as in the reference. A primary that does not answer is replaced and becomes a witness, so it would cause
 * the same delay.
 */
export function withCircuitBreaker(provider: Provider, { clock }: { readonly clock: Clock }): Provider {
  const { name } = provider
  let restsUntil = Number.NEGATIVE_INFINITY

  return {
    ...provider,
    lightBlock: async (height, options) => {
      if (clock.monotonic() < restsUntil) {
        const reason = `it did not answer before, and is asked again ${PAUSE_MS / 1000} s after that`
        throw new LightError(LIGHT_ERRORS.noResponse, `${name} is not asked: ${reason}`, {
          data: { provider: name, reason },
        })
      }
      try {
        return await provider.lightBlock(height, options)
      } catch (error) {
        if (isSilence(error)) restsUntil = clock.monotonic() + PAUSE_MS
        throw error
      }
    },
  }
}
