import { messageOf } from '@org/runtime/errors'
import type { Json, JsonObject } from '@org/types/schema'
import type { Arguments, ResultType, Route } from '../call/route.ts'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import { ROUTES } from '../operations/table.ts'
import type { Events } from '../ports/index.ts'
import { preserveNullLists } from './preserve-null-lists.ts'

/**
 * The source from which a relay gets its answers. A relay is an RPC without data of its own, such as a proxy to other
 * nodes.
 */
export interface Relay {
  /**
   * Returns the result of an operation, as the JSON that a v0.38 node sends. If a parameter is absent from `params`, it
   * has its default value. Rejects with a CodedError, whose message the client receives.
   */
  readonly call: (method: string, params: JsonObject, signal: AbortSignal) => Promise<Json>
  /** The events of the chain. Absent: there are no subscriptions. */
  readonly events?: Events
}

/** Returns the parameters that the caller gave, in the JSON that a client sends. */
function paramsOf(route: Route, args: Arguments): JsonObject {
  const given = route.paramNames.flatMap((name): [string, Json][] => {
    const param = route.params[name]
    const value = args[name]
    return param === undefined || param.isZero(value) ? [] : [[name, param.toJson(value)]]
  })
  return Object.fromEntries(given)
}

/** The operations in whose results a node may send `null` for an empty list. */
const WITH_NULL_LISTS: ReadonlySet<string> = new Set(['block_results', 'num_unconfirmed_txs'])

/**
 * Returns the type of a result that another node sent. If the result has a wrong form, the error has a code and names
 * the operation.
 */
function guarded<T>(name: string, type: ResultType<T>): ResultType<T> {
  const guard =
    <A, B>(work: (value: A) => B) =>
    (value: A): B => {
      try {
        return work(value)
      } catch (cause) {
        const { wrongAnswer } = RPC_ERRORS
        const message = `the answer of the node to ${name} has an unexpected form: ${messageOf(cause)} [${wrongAnswer}]`
        throw new RpcError(wrongAnswer, message, { cause })
      }
    }
  return { ...type, parse: guard(type.parse), stringify: guard(type.stringify) }
}

/**
 * Returns the operation with a handler that passes the call on to the relay. The operation keeps its description and
 * its parameters, except the parameters that the reference does not have.
 */
function relayed(route: Route, relay: Relay): Route {
  const { immutableKey: _key, slices: _slices, pieces, isOfNow: _now, extras: _extras, ...rest } = route
  const isAsSent = WITH_NULL_LISTS.has(route.name)
  const result = guarded(route.name, isAsSent ? preserveNullLists(route.result) : route.result)
  return {
    ...rest,
    ...(pieces === undefined || isAsSent ? {} : { pieces }),
    result,
    handler: async (context, args) => {
      const json = await relay.call(route.name, paramsOf(route, args), context.signal())
      return result.parse(json)
    },
  }
}

/**
 * Returns the operations of a relay: all operations except the unsafe ones, which only the operator of a node may call.
 * If the relay has no events, the operations for subscriptions are left out too.
 */
export function relayedRoutes(relay: Relay): ReadonlyMap<string, Route> {
  const routes = (Object.values(ROUTES) as readonly Route[]).filter(
    ({ unsafe, websocketOnly }) => unsafe !== true && (websocketOnly !== true || relay.events !== undefined),
  )
  return new Map(routes.map((route) => [route.name, route.websocketOnly === true ? route : relayed(route, relay)]))
}
