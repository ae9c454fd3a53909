import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { noopLogger } from '@org/runtime'
import { RequestEcho, RequestFlush, ResponseEcho, ResponseFlush } from '@org/types/abci'
import type { MessageSchema } from '@org/types/schema'
import { type Address, formatAddress, formatHostPort, parseAddress } from '../address.ts'
import { createApplicationHost } from '../application/index.ts'
import { messageOf } from '../errors.ts'
import { GRPC_SERVICE, METHOD_NAMES, METHODS } from '../messages/index.ts'
import { MAX_FRAME_BYTES } from '../options.ts'
import { listenError, probe } from './listen.ts'
import type { AbciServer, ServerModules, ServerOptions } from './options.ts'

// biome-ignore lint/suspicious/noExplicitAny: each method has its own messages; the schemas check them.
type AnySchema = MessageSchema<any>
type Handle = (call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => void

export function createGrpcServer(options: ServerOptions, modules: ServerModules): AbciServer {
  const { maxFrameBytes = MAX_FRAME_BYTES } = options
  const { app, logger = noopLogger } = modules
  const wanted = parseAddress(options.address)
  const host = createApplicationHost(app)
  const server = new Server({
    'grpc.max_receive_message_length': maxFrameBytes,
    'grpc.max_send_message_length': -1,
  })
  let bound: Address = wanted
  let running = false

  const service: Record<string, MethodDefinition<unknown, unknown>> = {}
  const handlers: Record<string, Handle> = {}
  function add(rpc: string, schemas: readonly [AnySchema, AnySchema], run: (request: never) => unknown): void {
    service[rpc] = definition(rpc, ...schemas)
    handlers[rpc] = (call, done) => {
      answer(run, call.request as never).then(
        (response) => done(null, response),
        (error: unknown) => {
          logger.error('the application threw', { method: rpc, error: messageOf(error) })
          done({ code: status.UNKNOWN, details: messageOf(error) })
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
  server.addService(service, handlers)

  function bind(): Promise<number> {
    const target =
      wanted.kind === 'unix' ? `unix:${wanted.path}` : formatHostPort(wanted.host || '0.0.0.0', wanted.port)
    return new Promise((resolve, reject) => {
      server.bindAsync(target, ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port)
        else reject(error)
      })
    })
  }

  return {
    start: async () => {
      await probe(wanted)
      const port = await bind().catch((cause: unknown) => {
        throw listenError(wanted, cause)
      })
      if (wanted.kind === 'tcp') bound = { ...wanted, port }
      running = true
      logger.info('listening', { address: formatAddress(bound) })
    },
    stop: () => {
      if (running) server.forceShutdown()
      running = false
      return Promise.resolve()
    },
    address: () => formatAddress(bound),
  }
}

async function answer(run: (request: never) => unknown, request: never): Promise<unknown> {
  return await run(request)
}

function definition(rpc: string, request: AnySchema, response: AnySchema): MethodDefinition<unknown, unknown> {
  const encode = (schema: AnySchema) => (value: unknown) => {
    const bytes = schema.encode(value)
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
