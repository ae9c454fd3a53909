import { messageOf } from '@org/runtime'
import { type ApplicationHost, isPromise } from '../application/index.ts'
import { ABCI_ERRORS, AbciError } from '../errors.ts'
import type { MethodName, RequestOf, ResponseOf } from '../messages/index.ts'
import { type AbciClient, methodsOver } from './client.ts'
import { createFailure } from './failure.ts'

/**
 * Creates a client of an application in this process. All clients of the application share `host`, the application's
 * host. A call waits for earlier calls in the same lane of the host, also for calls of other clients.
 */
export function createLocalClient(host: ApplicationHost): AbciClient {
  const failure = createFailure()
  const closing = new AbortController()

  function failed(method: MethodName, cause: unknown): AbciError {
    if (cause instanceof AbciError && cause.code === ABCI_ERRORS.badAnswer) return cause
    return new AbciError(ABCI_ERRORS.exception, `${method}: ${messageOf(cause)}`, { data: { method }, cause })
  }

  /** Returns the answer, or throws. Both happen immediately if the application returns no promise. */
  function callNow<M extends MethodName>(method: M, request: RequestOf<M>): ResponseOf<M> | Promise<ResponseOf<M>> {
    if (closing.signal.aborted)
      throw new AbciError(ABCI_ERRORS.closed, `${method}: the connection is closed`, { data: { method } })
    let answer: ResponseOf<M> | Promise<ResponseOf<M>>
    try {
      answer = host.call(method, request)
    } catch (cause) {
      throw failed(method, cause)
    }
    if (!isPromise(answer)) return answer
    return answer.catch((cause: unknown) => {
      throw failed(method, cause)
    })
  }

  return {
    ...methodsOver(async (method, request) => callNow(method, request)),
    checkTxNow: (request) => callNow('checkTx', request),
    echo: (message) => Promise.resolve(message),
    flush: () => Promise.resolve(),
    close: () => {
      closing.abort()
      return Promise.resolve()
    },
    onError: failure.listen,
  }
}
