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
      // `help` verifies a part of the signatures on this thread. Between two parts, the event loop runs, so that the
      // next header can be received.
      while (help()) await new Promise((resolve) => setImmediate(resolve))
      return answer
    },
    stop,
  }
}
