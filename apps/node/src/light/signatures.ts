import { createSignatureThread } from '@org/engine'
import type { LightClientModules } from '@org/light'

/** Verifies the signatures of headers on two threads. */
export interface LightSignatures extends Required<Pick<LightClientModules, 'findInvalid'>> {
  readonly stop: () => void
}

export function createLightSignatures(): LightSignatures {
  const { findInvalid, help, stop } = createSignatureThread({ priority: 'normal' })
  return {
    findInvalid: async (items) => {
      const answer = findInvalid(items)
      // The second thread verifies signatures, and this thread helps: each call of `help` verifies some of them here.
      // Between two calls, the event loop runs, so that the next header can be received.
      while (help()) await new Promise((resolve) => setImmediate(resolve))
      return answer
    },
    stop,
  }
}
