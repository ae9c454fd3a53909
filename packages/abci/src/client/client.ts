import type { AbciError } from '../errors.ts'
import { METHOD_NAMES, type MethodName, type RequestOf, type ResponseOf } from '../messages/index.ts'

type Call<M extends MethodName> =
  Record<never, never> extends RequestOf<M>
    ? (request?: RequestOf<M>) => Promise<ResponseOf<M>>
    : (request: RequestOf<M>) => Promise<ResponseOf<M>>

/** The methods of an application, as a client calls them. */
export type AbciMethods = { readonly [M in MethodName]: Call<M> }

/**
 * One connection to an application. A call need not wait for earlier calls. Over a socket, several calls may be sent
 * in one write, and the application answers the calls in order. Every failure is an {@link AbciError} that names the
 * method. A failure of the connection rejects all open and all later calls, and is passed once to the `onError`
 * listeners.
 */
export interface AbciClient extends AbciMethods {
  /**
   * Does the same as `checkTx`, but makes no promise if the application answers immediately: it returns the answer, or
   * throws. Calls of `checkTx` and of `checkTxNow` reach the application in the order in which they are made. Only a
   * client of an application in this process has this method.
   */
  readonly checkTxNow?: (request: RequestOf<'checkTx'>) => ResponseOf<'checkTx'> | Promise<ResponseOf<'checkTx'>>
  readonly echo: (message: string) => Promise<string>
  /** Resolves when all earlier calls are answered. */
  readonly flush: () => Promise<void>
  /** Closes the connection. Open calls are rejected with `ABCI_CLOSED`. More calls of `close` have no effect. */
  readonly close: () => Promise<void>
  /**
   * Calls `listener` with the failure that ended the connection, also if the connection ended before this call. After
   * the signal has aborted, `listener` is not called any more.
   */
  readonly onError: (listener: (error: AbciError) => void, signal?: AbortSignal) => void
}

/** A client whose connection is made later. */
export interface RemoteClient extends AbciClient {
  /** Tries to connect until the application answers. Rejects with the signal's reason if the signal aborts. */
  readonly connect: (signal?: AbortSignal) => Promise<void>
}

/** Returns the methods of a client. Each method calls `call` with its name. */
export function methodsOver(call: (method: MethodName, request: never) => Promise<unknown>): AbciMethods {
  const methods: Record<string, unknown> = {}
  for (const name of METHOD_NAMES) methods[name] = (request: unknown = {}) => call(name, request as never)
  return methods as unknown as AbciMethods
}
