export {
  formatListenAddress,
  type ListenAddress,
  parseListenAddress,
  parseListenAddresses,
  remoteAddressOf,
} from './address.ts'
export type { Sender } from './flush-queue.ts'
export { Input } from './input.ts'
export { boundAddress, listen } from './listen.ts'
export {
  bodyBytes,
  type HeaderBlock,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type HttpUpgrade,
  headerBlock,
  type StreamSink,
  sizeOfPart,
  typed,
  withHeaders,
} from './message.ts'
export { type HttpServer, type HttpServerOptions, startHttpServer } from './server.ts'
export type { ConnectionRegistry, TrackedConnection } from './tracked-connection.ts'
export type { TimeHeaders } from './write.ts'
