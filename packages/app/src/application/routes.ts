import { APP_ERRORS, AppError, refusal, refuse, TX_CODES } from '../errors.ts'
import { checkSchema, type OutputOf, refusePromise, type StandardSchema, validate } from '../transaction/index.ts'
import type { Context, QueryContext } from './context.ts'

/** A handler of transactions or of the genesis, with the schema of the value that the handler receives. */
export interface MessageHandler {
  /**
   * Checks the value of a transaction, or the `app_state` of the genesis document, against the schema. Returns the
   * function that runs the handler with the checked value. Throws a `Refusal` if the value does not fit the schema.
   */
  readonly prepare: (value: unknown) => (context: Context) => unknown
}

/** A query with the schema of its argument. */
export interface QueryHandler {
  readonly answer: (context: QueryContext, argument: unknown) => unknown
}

function checkHandler(run: unknown, what: string): void {
  if (typeof run === 'function') return
  throw new AppError(APP_ERRORS.option, `${what} needs a function as the argument after the schema, got ${typeof run}`)
}

/**
 * Creates the handler for one type of transactions, or for the genesis. The parameter `schema` describes the value of a
 * transaction. The function `run` executes the transaction with this value, and must be synchronous. If `run` returns a
 * value, the JSON of the value is the data of the result. A call of `refuse` in `run` refuses the transaction.
 */
export function message<S extends StandardSchema>(
  schema: S,
  run: (context: Context, value: OutputOf<S>) => unknown,
): MessageHandler {
  checkSchema(schema, 'a message')
  checkHandler(run, 'a message')
  return {
    prepare: (value) => {
      const result = validate(schema, value)
      if ('fault' in result) throw refusal(TX_CODES.badValue, `the value is invalid: ${result.fault}`)
      return (context) => run(context, result.value)
    },
  }
}

/**
 * A query: the schema of its argument, and the function that answers it. The answer must be a value that JSON can hold.
 */
export function query<S extends StandardSchema>(
  schema: S,
  run: (context: QueryContext, argument: OutputOf<S>) => unknown,
): QueryHandler {
  checkSchema(schema, 'a query')
  checkHandler(run, 'a query')
  return {
    answer: (context, argument) => {
      const result = validate(schema, argument)
      if ('fault' in result) return refuse(`the argument is invalid: ${result.fault}`)
      const answer = run(context, result.value)
      checkAnswer(answer, 'a query')
      return answer
    },
  }
}

/** Throws an {@link AppError} if a handler returned a promise. */
export function checkAnswer(value: unknown, what: string): void {
  const advice = 'handlers are synchronous, because every node must perform the same steps in the same order'
  refusePromise(value, `${what} returned a promise: ${advice}`)
}
