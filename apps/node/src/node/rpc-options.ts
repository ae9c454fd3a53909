import { DEFAULT_RPC_OPTIONS, type RpcListener, type RpcOptions } from '@org/rpc/server'
import { type Config, durationToMs, tlsPath } from '../config/index.ts'

export function rpcOptions(config: Config): RpcOptions {
  const { rpc } = config
  const file = (path: string): string => (path === '' ? '' : tlsPath(config, path))
  return {
    ...DEFAULT_RPC_OPTIONS,
    laddr: rpc.laddr,
    grpcLaddr: rpc.grpcLaddr,
    grpcMaxOpenConnections: rpc.grpcMaxOpenConnections,
    corsAllowedOrigins: rpc.corsAllowedOrigins,
    corsAllowedMethods: rpc.corsAllowedMethods,
    corsAllowedHeaders: rpc.corsAllowedHeaders,
    unsafe: rpc.unsafe,
    maxOpenConnections: rpc.maxOpenConnections,
    maxSubscriptionClients: rpc.maxSubscriptionClients,
    maxSubscriptionsPerClient: rpc.maxSubscriptionsPerClient,
    subscriptionBufferSize: rpc.experimentalSubscriptionBufferSize,
    websocketWriteBufferSize: rpc.experimentalWebsocketWriteBufferSize,
    closeOnSlowClient: rpc.experimentalCloseOnSlowClient,
    timeoutBroadcastTxCommitMs: durationToMs(rpc.timeoutBroadcastTxCommit),
    maxRequestBatchSize: rpc.maxRequestBatchSize,
    maxBodyBytes: rpc.maxBodyBytes,
    maxHeaderBytes: rpc.maxHeaderBytes,
    tlsCertFile: file(rpc.tlsCertFile),
    tlsKeyFile: file(rpc.tlsKeyFile),
    strict: rpc.strict,
    responseProfile: rpc.responseProfile,
    rateLimit: rpc.rateLimit,
    rateBurst: rpc.rateBurst,
    rateCosts: rpc.rateCosts,
    compression: rpc.compression,
    socketMode: rpc.socketMode,
    maxClientBytes: rpc.maxClientBytes,
    readyMaxLagMs: durationToMs(rpc.readyMaxLag),
  }
}

/** Matches a host that means every address of this machine. */
const ANY_HOST = /^(0\.0\.0\.0|\[::\])?(?=:\d+$)/

/** Returns the URLs under which the RPC listens. The address of a unix socket is unchanged. */
export function listeningUrls({ addresses }: RpcListener, { rpc }: Config): readonly string[] {
  const scheme = rpc.tlsCertFile !== '' && rpc.tlsKeyFile !== '' ? 'https' : 'http'
  return addresses.map((address) => {
    if (!address.startsWith('tcp://')) return address
    return `${scheme}://${address.slice('tcp://'.length).replace(ANY_HOST, '127.0.0.1')}`
  })
}
