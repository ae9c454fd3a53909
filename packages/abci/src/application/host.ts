import { METHODS, type MethodName, type RequestOf, type ResponseOf } from '../messages/index.ts'
import { completeAnswer } from './answer/index.ts'
import type { Application } from './application.ts'
import { checkApplication } from './check-application.ts'
import { DEFAULT_APPLICATION } from './defaults.ts'
import { createDefensiveCopy } from './defensive-copy.ts'
import { createCallLane, isPromise } from './lane.ts'

/**
 * An application with default answers for the methods that it does not have. The host decides the order of the calls.
 * All connections to the application share the host.
 */
export interface ApplicationHost {
  /**
   * Returns the complete answer. Returns a promise of it if the application returns a promise, or if another call is
   * running.
   */
  readonly call: <M extends MethodName>(method: M, request: RequestOf<M>) => ResponseOf<M> | Promise<ResponseOf<M>>
}

type Handler = (request: unknown) => unknown

export interface HostOptions {
  /**
   * True if the application gets copies of the requests, because the node still uses the requests. The application may
   * change the copies.
   */
  readonly copiesRequests?: boolean
}

/**
 * Creates the host of an application. Throws an `AbciError` with `ABCI_BAD_APPLICATION` if `app` cannot be an
 * application.
 */
export function createApplicationHost(app: Application, { copiesRequests = false }: HostOptions = {}): ApplicationHost {
  checkApplication(app)
  const ownCopy = copiesRequests ? createDefensiveCopy() : undefined
  const lanes = { state: createCallLane(), read: createCallLane() }

  function invoke(method: MethodName, request: unknown): unknown {
    const handler = app[method] as Handler | undefined
    // In a method of the application, `this` is the application. So an application may be an instance of a class.
    const answer =
      handler === undefined
        ? (DEFAULT_APPLICATION[method] as Handler)(request)
        : handler.call(app, ownCopy?.(request) ?? request)
    if (!isPromise(answer)) return completeAnswer(method, answer)
    return answer.then((value) => completeAnswer(method, value))
  }

  return {
    call: (method, request) =>
      lanes[METHODS[method].lane].run(() => invoke(method, request)) as ResponseOf<typeof method>,
  }
}
