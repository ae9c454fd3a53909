import { MEMPOOL_ERRORS, MempoolError } from '@org/engine'

/**
 * Returns an error of the mempool with the stack of the caller. The stack of the original error does not contain the
 * caller, because the mempool makes its errors in other functions, and some of them only once for all calls.
 */
export function withCaller(error: unknown, stack: string | undefined): unknown {
  // An error with a cause, such as an error of the application, is returned unchanged. The stack of its cause is more
  // useful than the stack of the caller.
  if (!(error instanceof MempoolError) || error.cause !== undefined) return error
  const hint =
    error.code === MEMPOOL_ERRORS.txInCache
      ? ': the chain has seen these bytes already: add a number that grows, or a time, to the transaction'
      : ''
  const own = new MempoolError(error.code, `${error.message}${hint}`, { data: error.data, cause: error })
  own.stack = `${own.name}: ${own.message}${stack?.replace(/^[^\n]*/, '') ?? ''}`
  return own
}
