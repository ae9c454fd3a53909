import type { Clock } from '@org/runtime'
import { INDEX_ERRORS, IndexError } from '../errors.ts'
import type { IndexerOptions } from '../options.ts'

/** The budget of keys and time that one search has left. */
export interface SearchBudget {
  /**
   * Subtracts the number `keys` from the number of keys that the search may still read. Throws when the budget is used
   * up, when the deadline has passed, or when the search was aborted.
   */
  readonly spend: (keys: number) => void
}

const ADVICE = 'narrow the query, for example by heights or by the exact value of an attribute'

export function createSearchBudget(
  { scanBudget, deadlineMs }: Pick<IndexerOptions, 'scanBudget' | 'deadlineMs'>,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): SearchBudget {
  const start = clock.monotonic()
  let looked = 0
  return {
    spend: (keys) => {
      signal?.throwIfAborted()
      looked += keys
      if (scanBudget > 0 && looked > scanBudget) {
        throw new IndexError(
          INDEX_ERRORS.scanBudget,
          `${INDEX_ERRORS.scanBudget}: the search would read more than ${scanBudget} keys of the index: ${ADVICE}`,
        )
      }
      if (deadlineMs > 0 && clock.monotonic() - start > deadlineMs) {
        throw new IndexError(
          INDEX_ERRORS.deadline,
          `${INDEX_ERRORS.deadline}: the search took longer than ${deadlineMs} ms: ${ADVICE}`,
        )
      }
    },
  }
}
