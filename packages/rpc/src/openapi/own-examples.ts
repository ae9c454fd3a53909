import type { RecordedExample } from './recorded-example.ts'

/**
 * Examples of operations that the reference does not have, written by hand. An operation is either here or in `EXAMPLES`,
 * which is made from recordings.
 */
export const OWN_EXAMPLES: Readonly<Record<string, RecordedExample>> = {}
