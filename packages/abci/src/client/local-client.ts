import type { ApplicationHost } from '../application/index.ts'
import { ABCI_ERRORS, AbciError, messageOf } from '../errors.ts'
import type { MethodName } from '../messages/index.ts'
import { type AbciClient, methodsOver } from './client.ts'
import { createFailure } from './failure.ts'

/** A client of an application in this process. Clients that share a host exclude each other's calls as its lanes say. */
export function createLocalClient(host: ApplicationHost): AbciClient {
  const failure = createFailure()
  let closed = false

  async function call(method: MethodName, request: never): Promise<unknown> {
    if (closed) throw new AbciError(ABCI_ERRORS.closed, `${method}: the connection is closed`, { data: { method } })
    try {
      return await host.call(method, request)
    } catch (cause) {
      throw new AbciError(ABCI_ERRORS.exception, `${method}: ${messageOf(cause)}`, { data: { method }, cause })
    }
  }

  return {
    ...methodsOver(call),
    echo: (message) => Promise.resolve(message),
    flush: () => Promise.resolve(),
    close: () => {
      closed = true
      return Promise.resolve()
    },
    onError: failure.listen,
  }
}
