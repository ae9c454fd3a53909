/** The `[rpc]` section of the configuration, durations in milliseconds. */
export interface RpcOptions {
  /** The addresses on which the RPC listens: `tcp://host:port` or `unix://path`, separated by commas. */
  readonly laddr: string
  /** The address of the gRPC service `BroadcastAPI`, `tcp://host:port` or `unix://path`. Empty: no such service. */
  readonly grpcLaddr: string
  /** The maximum number of open gRPC connections; 0: no limit. */
  readonly grpcMaxOpenConnections: number
  /** Origins whose web pages may call the RPC, each with at most one `*`. An empty list turns CORS off. */
  readonly corsAllowedOrigins: readonly string[]
  readonly corsAllowedMethods: readonly string[]
  readonly corsAllowedHeaders: readonly string[]
  /** Whether `dial_seeds`, `dial_peers` and `unsafe_flush_mempool` exist. */
  readonly unsafe: boolean
  /** The maximum number of open connections on each address; 0: no limit. */
  readonly maxOpenConnections: number
  /** The maximum number of clients that have subscriptions at one time. */
  readonly maxSubscriptionClients: number
  readonly maxSubscriptionsPerClient: number
  /** The maximum number of events that may wait for one subscription. */
  readonly subscriptionBufferSize: number
  /** The maximum number of answers that may wait for one WebSocket. */
  readonly websocketWriteBufferSize: number
  readonly closeOnSlowClient: boolean
  /**
   * The maximum bytes that wait for one WebSocket. If more bytes wait, the node closes the WebSocket with an error,
   * which has the height of the last event that was sent.
   */
  readonly maxClientBytes: number
  readonly timeoutBroadcastTxCommitMs: number
  /** The maximum number of requests in one batch; 0: no limit. */
  readonly maxRequestBatchSize: number
  readonly maxBodyBytes: number
  readonly maxHeaderBytes: number
  /** The maximum time in which a whole request must arrive, header and body, in milliseconds. */
  readonly readTimeoutMs: number
  /** The paths of the certificate and the key, which are PEM files. Both empty: no TLS. */
  readonly tlsCertFile: string
  readonly tlsKeyFile: string
  /** Whether every answer is the reference's, without deviations and extras. */
  readonly strict: boolean
  /** The profile of answers to requests that name no profile: `v0.38`, or `openapi` (the service document's shapes). */
  readonly responseProfile: string
  /** The maximum age of the last block, in milliseconds. If the block is older, `/readyz` fails. 0: no limit. */
  readonly readyMaxLagMs: number
  /** The maximum number of calls per second from one address. Each call of a batch counts. 0: no limit. */
  readonly rateLimit: number
  /** The maximum number of calls of one address that may come at once; 0: the same number as `rateLimit`. */
  readonly rateBurst: number
  /**
   * Entries `name=cost` for the rate limit: a call of the operation `name` counts as `cost` calls. A call of any other
   * operation counts as one call.
   */
  readonly rateCosts: readonly string[]
  /** Whether answers are compressed for clients that accept gzip or brotli. */
  readonly compression: boolean
  /** The permissions of a unix socket's file. */
  readonly socketMode: number
  /** Names of the operations that the node serves; `all`: every operation for which the node has the needed ports. */
  readonly operations: 'all' | readonly string[]
  /** Whether answers that cannot change have headers that let HTTP caches keep them. */
  readonly cacheHeaders: boolean
  /** The maximum number of bytes of requests that all connections together hold. */
  readonly maxRequestsBytes: number
  /**
   * The maximum number of bytes of answers and events that have not been read by their clients, summed over all
   * clients.
   */
  readonly maxUnreadBytes: number
  /** The maximum bytes of cached answers about immutable data. */
  readonly cacheBytes: number
}

/** The default options. An option that the reference has too has the reference's default. */
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
