import { CodedError } from '@org/runtime/errors'

const UNAVAILABLE = 'PLAYGROUND_UNAVAILABLE'

/**
 * Returns a function that always throws, in place of a function that a page does not have. A simulated network never
 * calls it.
 */
export function unavailable(name: string): (...given: readonly unknown[]) => never {
  return () => {
    throw new CodedError(UNAVAILABLE, `${name} is not available in a browser`)
  }
}
