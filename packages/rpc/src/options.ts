/** The `[rpc]` section of the configuration, durations in milliseconds. */
export interface RpcOptions {
  /** `tcp://host:port` and `unix://path`, separated by commas. */
  readonly laddr: string
  /** `tcp://host:port` or `unix://path` of the gRPC service `BroadcastAPI`; empty: it is not served. */
  readonly grpcLaddr: string
  /** Connections of gRPC at once; 0: no limit. */
  readonly grpcMaxOpenConnections: number
  /** Origins allowed to ask across sites, each with at most one `*`; none turns CORS off. */
  readonly corsAllowedOrigins: readonly string[]
  readonly corsAllowedMethods: readonly string[]
  readonly corsAllowedHeaders: readonly string[]
  /** Whether `dial_seeds`, `dial_peers` and `unsafe_flush_mempool` exist. */
  readonly unsafe: boolean
  /** Connections at once on each address; 0: no limit. */
  readonly maxOpenConnections: number
  /** Subscribers at once. */
  readonly maxSubscriptionClients: number
  readonly maxSubscriptionsPerClient: number
  /** Events that may wait for one subscription. */
  readonly subscriptionBufferSize: number
  /** Answers that may wait for one WebSocket. */
  readonly websocketWriteBufferSize: number
  readonly closeOnSlowClient: boolean
  /** Bytes that may wait for one WebSocket; more end it, with the height of the last event that it was given. */
  readonly maxClientBytes: number
  readonly timeoutBroadcastTxCommitMs: number
  /** Requests in one batch; 0: no limit. */
  readonly maxRequestBatchSize: number
  readonly maxBodyBytes: number
  readonly maxHeaderBytes: number
  /** Time to read a request, header and body. */
  readonly readTimeoutMs: number
  /** Paths of PEM files; both empty: no TLS. */
  readonly tlsCertFile: string
  readonly tlsKeyFile: string
  /** No deviation from the reference at all, and none of the extras. */
  readonly strict: boolean
  /** How answers are written when a request does not say: `v0.38` or `openapi` (the service document's shapes). */
  readonly responseProfile: string
  /** `/readyz` says no when the last block is older; 0: no limit. */
  readonly readyMaxLagMs: number
  /** Calls a second that one address may make, over all its connections, batches counted in full; 0: no limit. */
  readonly rateLimit: number
  /** Calls that may come at once; 0: as many as `rateLimit`. */
  readonly rateBurst: number
  /** What calls of an operation take from the bucket, each `name=cost`; 1 for those that are not named. */
  readonly rateCosts: readonly string[]
  /** Whether answers are compressed for clients that accept gzip or brotli. */
  readonly compression: boolean
  /** Permissions of a unix socket's file. */
  readonly socketMode: number
  /** Names of the operations that exist; `all`: every one that the ports can serve. */
  readonly operations: 'all' | readonly string[]
  /** Whether answers that cannot change tell HTTP caches so. */
  readonly cacheHeaders: boolean
  /** Bytes of requests that all connections together may hold. */
  readonly maxRequestsBytes: number
  /** Bytes of answers and events that all clients together may leave unread. */
  readonly maxUnreadBytes: number
  /** Memory for answers about immutable data. */
  readonly cacheBytes: number
}

/** The reference's defaults, with the extras on. */
export const DEFAULT_RPC_OPTIONS: RpcOptions = {
  laddr: 'tcp://127.0.0.1:26657',
  grpcLaddr: '',
  grpcMaxOpenConnections: 900,
  corsAllowedOrigins: [],
  corsAllowedMethods: ['HEAD', 'GET', 'POST'],
  corsAllowedHeaders: ['Origin', 'Accept', 'Content-Type', 'X-Requested-With', 'X-Server-Time'],
  unsafe: false,
  maxOpenConnections: 900,
  maxSubscriptionClients: 100,
  maxSubscriptionsPerClient: 5,
  subscriptionBufferSize: 200,
  websocketWriteBufferSize: 200,
  closeOnSlowClient: false,
  maxClientBytes: 32 * 1024 * 1024,
  timeoutBroadcastTxCommitMs: 10_000,
  maxRequestBatchSize: 10,
  maxBodyBytes: 1_000_000,
  maxHeaderBytes: 1 << 20,
  readTimeoutMs: 10_000,
  tlsCertFile: '',
  tlsKeyFile: '',
  strict: false,
  responseProfile: 'v0.38',
  readyMaxLagMs: 0,
  rateLimit: 0,
  rateBurst: 0,
  rateCosts: ['tx_search=10', 'block_search=10', 'dump_consensus_state=5', 'genesis_chunked=5'],
  compression: false,
  socketMode: 0o600,
  operations: 'all',
  cacheHeaders: true,
  maxRequestsBytes: 64 * 1024 * 1024,
  maxUnreadBytes: 256 * 1024 * 1024,
  cacheBytes: 32 * 1024 * 1024,
}
