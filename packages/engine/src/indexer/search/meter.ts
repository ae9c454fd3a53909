import type { Clock } from '@org/runtime'
import { INDEX_ERRORS, IndexError } from '../errors.ts'
import type { IndexerOptions } from '../options.ts'

/** What one search may still do. */
export interface Meter {
  /** Throws when so many more keys are too many, when it is too late, or when the search was aborted. */
  readonly spend: (keys: number) => void
}

const ADVICE = 'narrow the query, for example by heights or by the exact value of an attribute'

export function createMeter(
  { scanBudget, deadlineMs }: Pick<IndexerOptions, 'scanBudget' | 'deadlineMs'>,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Meter {
  const start = clock.monotonic()
  let looked = 0
  return {
    spend: (keys) => {
      signal?.throwIfAborted()
      looked += keys
      if (scanBudget > 0 && looked > scanBudget) {
        throw new IndexError(
          INDEX_ERRORS.scanBudget,
          `${INDEX_ERRORS.scanBudget}: the search would look at more than ${scanBudget} keys of the index: ${ADVICE}`,
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
