import { ExecTxResult } from '@org/types/abci'
import { METHODS, type MethodName, type RequestOf, type ResponseOf } from '../messages/index.ts'
import type { AnswerOf, Application } from './application.ts'
import { DEFAULT_APPLICATION } from './defaults.ts'
import { createCallLane, isPromise } from './lane.ts'

/** An application with its defaults filled in and its calls put in order; shared by all connections to it. */
export interface ApplicationHost {
  /** The whole answer; a promise if the application, or the wait for another call, makes one. */
  readonly call: <M extends MethodName>(method: M, request: RequestOf<M>) => ResponseOf<M> | Promise<ResponseOf<M>>
}

type Handler = (request: unknown) => object | Promise<object>

export function createApplicationHost(app: Application): ApplicationHost {
  const lanes = { state: createCallLane(), read: createCallLane() }

  function invoke(method: MethodName, request: unknown): unknown {
    const { response } = METHODS[method]
    const own = app[method] as Handler | undefined
    // The application is `this`, so that it may be an instance of a class.
    const answer = own === undefined ? (DEFAULT_APPLICATION[method] as Handler)(request) : own.call(app, request)
    const complete = (value: object): unknown =>
      response.create(method === 'finalizeBlock' ? wholeResults(value) : value)
    return isPromise(answer) ? answer.then(complete) : complete(answer)
  }

  return {
    call: (method, request) =>
      lanes[METHODS[method].lane].run(() => invoke(method, request)) as ResponseOf<typeof method>,
  }
}

function wholeResults(answer: AnswerOf<'finalizeBlock'>): object {
  const { txResults = [] } = answer
  return { ...answer, txResults: txResults.map((result) => (isWhole(result) ? result : ExecTxResult.create(result))) }
}

const RESULT_KEYS = Object.keys(ExecTxResult.zero)

/** Results that a schema made have all members; most applications make them so. */
function isWhole(result: Partial<ExecTxResult>): boolean {
  for (const key of RESULT_KEYS) if (!(key in result)) return false
  return true
}
