import { type AbciClient, type AbciConnections, METHOD_NAMES, type MethodName } from '@org/abci'

/** Receives the calls to the application that failed or were refused, for a report to the developer. */
export interface CallObserver {
  /** A call failed: the application threw an error, returned an invalid answer, or could not be reached. */
  readonly onError: (method: MethodName, error: unknown) => void
  /** CheckTx refused a transaction. `isRecheck`: the transaction was accepted before. */
  readonly onRefused: (tx: Uint8Array, answer: Refusal, isRecheck: boolean) => void
  /** The application answered a query with an error code. */
  readonly onFailedQuery: (path: string, answer: Refusal) => void
}

export interface Refusal {
  readonly code: number
  readonly log: string
}

type CheckTx = AbciClient['checkTx']
type CheckRequest = Parameters<CheckTx>[0]
type CheckAnswer = Awaited<ReturnType<CheckTx>>

/** The type of a CheckTx request for a recheck. */
const RECHECK = 1

/** Returns connections that report each failed and each refused call to the observer. */
export function withCallObserver(connections: AbciConnections, observer: CallObserver): AbciConnections {
  const of = (client: AbciClient): AbciClient => observedClient(client, observer)
  return {
    ...connections,
    query: of(connections.query),
    snapshot: of(connections.snapshot),
    mempool: of(connections.mempool),
    consensus: of(connections.consensus),
  }
}

function observedClient(client: AbciClient, observer: CallObserver): AbciClient {
  const calls: Record<string, (request: never) => Promise<unknown>> = {}
  for (const method of METHOD_NAMES) {
    const call = client[method] as (request: never) => Promise<unknown>
    calls[method] = async (request) => {
      try {
        return await call(request)
      } catch (error) {
        observer.onError(method, error)
        throw error
      }
    }
  }
  const watched = { ...client, ...calls } as AbciClient
  const onAnswer = ({ tx, type }: CheckRequest, answer: CheckAnswer): CheckAnswer => {
    if (answer.code !== 0) observer.onRefused(tx, answer, type === RECHECK)
    return answer
  }
  const { checkTxNow } = client
  return {
    ...watched,
    query: async (request) => {
      const answer = await watched.query(request)
      if (answer.code !== 0) observer.onFailedQuery(request.path, answer)
      return answer
    },
    checkTx: async (request) => onAnswer(request, await watched.checkTx(request)),
    ...(checkTxNow !== undefined && { checkTxNow: observedNow(checkTxNow, { onAnswer, observer }) }),
  }
}

interface NowModules {
  readonly onAnswer: (request: CheckRequest, answer: CheckAnswer) => CheckAnswer
  readonly observer: CallObserver
}

/**
 * Reports the answers and failures of CheckTx for an application in this process. Such an application may return the
 * answer or throw an error directly, without a promise.
 */
function observedNow(call: NonNullable<AbciClient['checkTxNow']>, { onAnswer, observer }: NowModules): typeof call {
  const failed = (error: unknown): never => {
    observer.onError('checkTx', error)
    throw error
  }
  return (request) => {
    let answer: ReturnType<typeof call>
    try {
      answer = call(request)
    } catch (error) {
      return failed(error)
    }
    if (!(answer instanceof Promise)) return onAnswer(request, answer)
    return answer.then((value) => onAnswer(request, value), failed)
  }
}
