import { messageOf } from '@org/runtime/errors'
import { ExecTxResult, ResponseCheckTx } from '@org/types/abci'
import type { Arguments, Route } from '../call/route.ts'
import { whileConnected } from '../call/while-connected.ts'
import { quoteText } from '../json/quote.ts'
import { RATE_LIMITED } from '../middleware/rate-limit.ts'
import type { ResultBroadcastTxCommit } from '../operations/results.ts'
import { type Caller, callContext, type RpcService } from '../service.ts'
import { RequestBroadcastTx, RequestPing, ResponseBroadcastTx, ResponsePing } from './messages.ts'
import { GRPC_STATUS, type GrpcStatus } from './status.ts'
import { type MessageNames, unmarshalFault } from './unmarshal-fault.ts'

const BROADCAST_API = 'tendermint.rpc.grpc.BroadcastAPI'

export type GrpcAnswer =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly status: GrpcStatus }

/** Answers the message of one call. */
export type GrpcMethod = (message: Uint8Array, caller: Caller) => Promise<GrpcAnswer>

/** The methods of a gRPC server by path. */
export interface GrpcMethods {
  readonly get: (path: string) => GrpcMethod | GrpcStatus
}

const failed = (code: GrpcStatus['code'], message: string): GrpcAnswer => ({
  kind: 'failed',
  status: { code, message },
})

/**
 * Returns the members of the results that the reference's gRPC service sends: `code`, `data` and `log` of CheckTx, and
 * of the transaction's result.
 */
function shown({ checkTx, txResult }: ResultBroadcastTxCommit): ResponseBroadcastTx {
  return {
    checkTx: ResponseCheckTx.create({ code: checkTx.code, data: checkTx.data, log: checkTx.log }),
    txResult: ExecTxResult.create({ code: txResult.code, data: txResult.data, log: txResult.log }),
  }
}

/** Runs an operation when its turn has come: `service.pace` sets the order of the calls of all transports. */
async function runRoute(
  service: RpcService,
  route: Route,
  { args, caller }: { readonly args: Arguments; readonly caller: Caller },
): Promise<unknown> {
  const context = callContext(service, caller, '-1')
  const endCall = context.meter?.call(route.name)
  try {
    return await whileConnected(service.pace.runForBlock, () => route.handler(context, args), caller.signal())
  } finally {
    endCall?.()
  }
}

/** The name and the decoder of the message that a method receives. */
interface RequestFormat<Request> extends MessageNames {
  /** The name of the operation, for the rate limit. */
  readonly operation: string
  readonly decode: (bytes: Uint8Array) => Request
}

const PING: RequestFormat<RequestPing> = { operation: 'ping', message: 'RequestPing', decode: RequestPing.decode }
const BROADCAST_TX: RequestFormat<RequestBroadcastTx> = {
  operation: 'broadcast_tx_commit',
  message: 'RequestBroadcastTx',
  field: 'Tx',
  decode: RequestBroadcastTx.decode,
}

/**
 * Makes a method of the gRPC service. The method first checks the rate limit and the node's memory, and decodes the
 * message of the call. Then it calls the function `answer`, which makes the answer to this message.
 */
function guarded<Request>(
  service: RpcService,
  format: RequestFormat<Request>,
  answer: (request: Request, caller: Caller) => Promise<Uint8Array>,
): GrpcMethod {
  return async (message, caller) => {
    if (service.rateLimit?.tryTake(caller.remoteAddress, [format.operation]) === false)
      return failed(GRPC_STATUS.resourceExhausted, RATE_LIMITED)
    if (service.memory.isShort()) {
      service.memory.refused()
      return failed(GRPC_STATUS.unavailable, 'the node is short of memory; try again later')
    }
    let request: Request
    try {
      request = format.decode(message)
    } catch (error) {
      const fault = unmarshalFault(message, format) ?? messageOf(error)
      return failed(GRPC_STATUS.internal, `grpc: error unmarshalling request: ${fault}`)
    }
    try {
      return { kind: 'answer', bytes: await answer(request, caller) }
    } catch (error) {
      return failed(GRPC_STATUS.unknown, messageOf(error))
    }
  }
}

/**
 * The `BroadcastAPI` service. `BroadcastTx` is the operation `broadcast_tx_commit`, and exists only on nodes that
 * have that operation.
 */
export function createBroadcastApi(service: RpcService): GrpcMethods {
  const route = service.routes.get('broadcast_tx_commit')
  const methods = new Map<string, GrpcMethod>()
  methods.set(
    'Ping',
    guarded(service, PING, () => Promise.resolve(ResponsePing.encode({}))),
  )
  if (route !== undefined) {
    const broadcast = async ({ tx }: RequestBroadcastTx, caller: Caller): Promise<Uint8Array> => {
      // The transaction is copied, because it may stay in the mempool and would otherwise keep the larger buffer of the
      // call in memory.
      const args = { tx: tx.slice() }
      const result = await runRoute(service, route, { args, caller })
      return ResponseBroadcastTx.encode(shown(result as ResultBroadcastTxCommit))
    }
    methods.set('BroadcastTx', guarded(service, BROADCAST_TX, broadcast))
  }
  return { get: (path) => methodAt(methods, path) }
}

/**
 * Returns the method that a path `/service/method` names. If no such method exists, returns the status with the
 * reference's words.
 */
function methodAt(methods: ReadonlyMap<string, GrpcMethod>, path: string): GrpcMethod | GrpcStatus {
  const shownPath = path.slice(0, 200)
  const at = shownPath.lastIndexOf('/')
  if (at <= 0) return unimplemented(`malformed method name: ${quoteText(shownPath)}`)
  const service = shownPath.slice(shownPath.startsWith('/') ? 1 : 0, at)
  const name = shownPath.slice(at + 1)
  if (service !== BROADCAST_API) return unimplemented(`unknown service ${service}`)
  return methods.get(name) ?? unimplemented(`unknown method ${name} for service ${service}`)
}

const unimplemented = (message: string): GrpcStatus => ({ code: GRPC_STATUS.unimplemented, message })
