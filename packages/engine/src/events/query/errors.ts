import { CodedError } from '@org/runtime/errors'

/** The codes of {@link QueryError}. */
export const QUERY_ERRORS = { syntax: 'QUERY_SYNTAX' } as const

/** A query that cannot be parsed. The message is the reference's; `data.offset` counts bytes of UTF-8. */
export class QueryError extends CodedError<(typeof QUERY_ERRORS)[keyof typeof QUERY_ERRORS], { offset: number }> {
  constructor(offset: number, problem: string) {
    super(QUERY_ERRORS.syntax, `offset ${offset}: ${problem}`, { data: { offset } })
  }
}
