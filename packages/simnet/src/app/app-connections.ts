import {
  type AbciConnections,
  type Application,
  completeAnswer,
  createConnections,
  METHOD_NAMES,
  type MethodName,
} from '@org/abci'
import { type Life, type RandomSource, type Trace, WORLD_ERRORS, WorldError } from '../world/index.ts'
import { isPromise } from './is-promise.ts'

/** How an application behaves at present: how long its calls take, and whether its next call fails. */
export interface AppFaults {
  /** The range of the duration of each call, in milliseconds. */
  delayMs: readonly [low: number, high: number]
  /**
   * The name of a method of ABCI. If set, the next call of the named method fails, as if the application had crashed.
   */
  failNext: MethodName | undefined
}

export interface AppConnectionsModules {
  readonly life: Life
  readonly random: RandomSource
  readonly trace: Trace
  readonly node: string
  readonly faults: AppFaults
  /** True if the application runs in the node's process and ends when the node crashes. */
  readonly isInProcess: boolean
  /** Called before and after each call. The callback may crash the node. */
  readonly onCall: (method: MethodName, when: 'before' | 'after') => void
  /** Called with each request and the application's response. */
  readonly onAnswer: (method: MethodName, call: { readonly request: unknown; readonly answer: unknown }) => void
}

/**
 * Creates the connections to an application. Each call takes virtual time, and is reported to `onCall` and `onAnswer`.
 */
export function createAppConnections(app: Application, modules: AppConnectionsModules): AbciConnections {
  const { life, random, trace, node, faults, isInProcess, onCall, onAnswer } = modules
  const timed: Record<string, unknown> = {}

  for (const method of METHOD_NAMES) {
    const own = app[method] as ((request: unknown) => unknown) | undefined
    if (own === undefined) continue
    timed[method] = async (request: unknown): Promise<unknown> => {
      const [low, high] = faults.delayMs
      if (high > 0) await life.wait(random.between(low, high))
      if (faults.failNext === method) {
        faults.failNext = undefined
        throw new WorldError(WORLD_ERRORS.appDied, `the application crashed in ${method}`)
      }
      if (method !== 'query' && method !== 'info') trace.note(node, 'app', method)
      onCall(method, 'before')
      // `onCall` may have crashed the node. A crashed node makes no call.
      if (!life.isAlive()) return new Promise(() => undefined)
      const answering = own.call(app, request)
      // A promise of the application may take real time to settle, for example if the application uses timers or files.
      // Virtual time stands still until then.
      const given = await (isPromise(answering) ? life.hold(answering, `${node}: ${method}`) : answering)
      const answer = completeAnswer(method, given)
      onAnswer(method, { request, answer })
      onCall(method, 'after')
      if (!life.isAlive()) return new Promise(() => undefined)
      return answer
    }
  }
  return { ...createConnections({ kind: 'local', app: timed as Application }, { clock: life.clock }), isInProcess }
}
