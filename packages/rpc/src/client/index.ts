export { createRpcClient, type RpcClient, type RpcMethods } from './client.ts'
export { RPC_CLIENT_ERRORS, RpcClientError, type RpcClientErrorCode } from './errors.ts'
export { createHttpTransport, type HttpTransportOptions } from './http-transport.ts'
export { createReconnectingTransport, heightOf, type ReconnectOptions, type Resumption } from './reconnect.ts'
export type { RpcAnswer, RpcCall, RpcEvent, RpcTransport } from './transport.ts'
export {
  createWebSocketTransport,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from './websocket-transport.ts'
