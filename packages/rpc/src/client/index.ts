export { createRpcClient, type RpcClient, type RpcMethods } from './client.ts'
export {
  isRpcFailure,
  RPC_CLIENT_ERRORS,
  RpcClientError,
  type RpcClientErrorCode,
  type RpcFailure,
} from './errors.ts'
export { createHttpTransport, type HttpFetch, type HttpTransportOptions } from './http-transport.ts'
export { knownMembers } from './known-members.ts'
export { type AnswerBuffer, createAnswerBuffer, readBody } from './read-answer.ts'
export { createReconnectingTransport, type ReconnectOptions, type Resumption } from './reconnect.ts'
export { heightOf } from './resumption.ts'
export type { RpcAnswer, RpcCall, RpcEvent, RpcTransport, SubscribeOptions } from './transport.ts'
export type { WebSocketLike } from './websocket-calls.ts'
export { createWebSocketTransport, type WebSocketTransportOptions } from './websocket-transport.ts'
