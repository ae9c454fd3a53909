export {
  type CosmJsRequest,
  type CosmJsResponse,
  type CosmJsRpcClient,
  createVerifiedTransport,
  type VerifiedTransportModules,
  type VerifiedTransportOptions,
} from './verified-transport.ts'
