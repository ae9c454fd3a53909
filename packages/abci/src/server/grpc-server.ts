import type { MethodDefinition, Server, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js'
import { messageOf } from '@org/runtime'
import { RequestEcho, RequestFlush, ResponseEcho, ResponseFlush } from '@org/types/abci'
import { type Address, formatAddress, grpcTarget, parseAddress } from '../address.ts'
import { createApplicationHost } from '../application/index.ts'
import { loadGrpc } from '../load-grpc.ts'
import { GRPC_SERVICE, METHOD_NAMES, METHODS } from '../messages/index.ts'
import { MAX_FRAME_BYTES } from '../options.ts'
import { listenError, probe } from './listen.ts'
import type { AbciServer, ServerModules, ServerOptions } from './options.ts'
import { stderrLogger, thrown } from './stderr-logger.ts'

/**
 * The functions of the schema of a request or a response. The type of the message is left out, so that this interface
 * fits the schemas of all methods.
 */
interface AnySchema {
  readonly encode: (message: never) => Uint8Array
  readonly decode: (bytes: Uint8Array) => unknown
}
/** The value of `UNKNOWN` in grpc.status. */
const UNKNOWN = 2
/**
 * The maximum number of characters of an error's text in an answer. The text is sent in a header, and a client ends a
 * call whose headers are too long.
 */
const MAX_DETAILS = 1000

type Handle = (call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => void

export function createGrpcServer(options: ServerOptions, modules: ServerModules): AbciServer {
  const { maxFrameBytes = MAX_FRAME_BYTES } = options
  const { app, logger = stderrLogger } = modules
  const wanted = parseAddress(options.address)
  const host = createApplicationHost(app)
  let bound: Address = wanted
  let server: Server | undefined

  const service: Record<string, MethodDefinition<unknown, unknown>> = {}
  const handlers: Record<string, Handle> = {}
  function add(rpc: string, schemas: readonly [AnySchema, AnySchema], run: (request: never) => unknown): void {
    service[rpc] = definition(rpc, ...schemas)
    handlers[rpc] = (call, done) => {
      answer(run, call.request as never).then(
        (response) => done(null, response),
        (error: unknown) => {
          logger.error('The application threw an error', { method: rpc, ...thrown(error) })
          done({ code: UNKNOWN, details: detailsOf(error) })
        },
      )
    }
  }
  add('Echo', [RequestEcho, ResponseEcho], ({ message }: RequestEcho) => ({ message }))
  add('Flush', [RequestFlush, ResponseFlush], () => ({}))
  for (const name of METHOD_NAMES) {
    const { rpc, request, response } = METHODS[name]
    add(rpc, [request, response], (value: never) => host.call(name, value))
  }

  return {
    start: async () => {
      await probe(wanted)
      const { Server, ServerCredentials, ServerInterceptingCall } = await loadGrpc()
      const started = new Server({
        'grpc.max_receive_message_length': maxFrameBytes,
        'grpc.max_send_message_length': -1,
        interceptors: [
          (_definition, call) => {
            refuseCompression(call)
            return new ServerInterceptingCall(call)
          },
        ],
      })
      started.addService(service, handlers)
      const port = await new Promise<number>((resolve, reject) => {
        started.bindAsync(grpcTarget(wanted, '0.0.0.0'), ServerCredentials.createInsecure(), (error, bound) => {
          if (error === null) resolve(bound)
          else reject(listenError(wanted, error))
        })
      })
      server = started
      if (wanted.kind === 'tcp') bound = { ...wanted, port }
      logger.info('Listening', { address: formatAddress(bound) })
    },
    stop: () => {
      server?.forceShutdown()
      server = undefined
      return Promise.resolve()
    },
    address: () => formatAddress(bound),
  }
}

/**
 * Lets a call fail with the status UNIMPLEMENTED if its message is compressed. A message of 300 kB can decompress to
 * 300 MB. A node never compresses its requests, and an application in Go cannot decompress them either.
 *
 * The library has no option for this. It keeps the encoding of the message in a member that its types do not have, and
 * refuses an encoding that it does not know.
 */
function refuseCompression(call: object): void {
  const { incomingEncoding: encoding } = call as { readonly incomingEncoding?: unknown }
  if (encoding === undefined || encoding === 'identity') return
  // The library puts this text into the error that the client receives.
  Object.assign(call, { incomingEncoding: `${String(encoding)}; send messages without compression` })
}

/**
 * Returns the text of an error that an answer contains. The library throws an error for half of a surrogate pair, so
 * each such half is replaced.
 */
function detailsOf(error: unknown): string {
  return messageOf(error).slice(0, MAX_DETAILS).toWellFormed()
}

async function answer(run: (request: never) => unknown, request: never): Promise<unknown> {
  return await run(request)
}

function definition(rpc: string, request: AnySchema, response: AnySchema): MethodDefinition<unknown, unknown> {
  const encode = (schema: AnySchema) => (value: unknown) => {
    const bytes = schema.encode(value as never)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return {
    path: `/${GRPC_SERVICE}/${rpc}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: encode(request),
    requestDeserialize: (bytes) => request.decode(bytes),
    responseSerialize: encode(response),
    responseDeserialize: (bytes) => response.decode(bytes),
  }
}
