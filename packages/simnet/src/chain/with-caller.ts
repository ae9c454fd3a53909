import { MEMPOOL_ERRORS, MempoolError } from '@org/engine'

/** An error of the mempool with the line of the call: the mempool makes its errors elsewhere, some only once. */
export function withCaller(error: unknown, stack: string | undefined): unknown {
  // A cause, such as an error of the application, has a better stack.
  if (!(error instanceof MempoolError) || error.cause !== undefined) return error
  const hint =
    error.code === MEMPOOL_ERRORS.txInCache
      ? ': the chain has seen these bytes already: add a number that grows, or a time, to the transaction'
      : ''
  const own = new MempoolError(error.code, `${error.message}${hint}`, { data: error.data, cause: error })
  own.stack = `${own.name}: ${own.message}${stack?.replace(/^[^\n]*/, '') ?? ''}`
  return own
}
