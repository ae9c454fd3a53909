import { CodedError } from '@org/runtime/errors'

const UNAVAILABLE = 'PLAYGROUND_UNAVAILABLE'

/** Returns a function for a call that a page cannot make. A simulated network makes none of these calls. */
export function unavailable(name: string): (...given: readonly unknown[]) => never {
  return () => {
    throw new CodedError(UNAVAILABLE, `${name} is not available in a browser`)
  }
}
