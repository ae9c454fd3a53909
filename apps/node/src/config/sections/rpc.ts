import { key } from '../key.ts'
import { duration, fileMode, flag, integer, list, oneOf, text } from '../kinds.ts'

const SECOND = 1_000_000_000n

export const RPC = {
  laddr: key(text, 'tcp://127.0.0.1:26657', { help: 'addresses of the RPC, separated by commas' }),
  cors_allowed_origins: key(list, []),
  cors_allowed_methods: key(list, ['HEAD', 'GET', 'POST']),
  cors_allowed_headers: key(list, ['Origin', 'Accept', 'Content-Type', 'X-Requested-With', 'X-Server-Time']),
  grpc_laddr: key(text, '', { help: 'address of the gRPC service (BroadcastTx only)' }),
  grpc_max_open_connections: key(integer(), 900),
  unsafe: key(flag, false, { help: 'enable the unsafe RPC operations, such as dial_seeds and unsafe_flush_mempool' }),
  max_open_connections: key(integer(), 900),
  max_subscription_clients: key(integer(), 100),
  max_subscriptions_per_client: key(integer(), 5),
  experimental_subscription_buffer_size: key(integer({ min: 100 }), 200),
  experimental_websocket_write_buffer_size: key(integer(), 200),
  experimental_close_on_slow_client: key(flag, false),
  timeout_broadcast_tx_commit: key(duration(), 10n * SECOND),
  max_request_batch_size: key(integer(), 10),
  max_body_bytes: key(integer(), 1_000_000),
  max_header_bytes: key(integer(), 1_048_576),
  tls_cert_file: key(text, ''),
  tls_key_file: key(text, ''),
  pprof_laddr: key(text, '', { help: 'address of pprof, the profiler of Go programs; not built in this version' }),
  /** Whether every answer is exactly the answer of the Go node v0.38, without Halley's deviations. */
  strict: key(flag, false, { isHalleyOnly: true, help: 'answer exactly like the Go node v0.38, without deviations' }),
  /**
   * Whether to serve the explorer: the page with blocks, transactions and validators. A strict node does not serve this
   * page.
   */
  explorer: key(flag, false, {
    isHalleyOnly: true,
    help: 'serve a page with blocks, transactions and validators at /explorer',
  }),
  /** The form of the answers to requests that name no form. `openapi` is the form in the service document. */
  response_profile: key(oneOf('v0.38', 'openapi'), 'v0.38', {
    isHalleyOnly: true,
    help: 'form of answers: v0.38 (the form of the Go node) or openapi; /openapi.json describes both forms',
  }),
  /** The maximum age of the last block: `/readyz` answers 503 if the block is older. 0 means no limit. */
  ready_max_lag: key(duration(), 0n, {
    isHalleyOnly: true,
    help: 'maximum age of the last block: if the block is older, /readyz answers 503; 0s means no limit',
  }),
  /** The maximum number of calls per second from one address; 0 means no limit. */
  rate_limit: key(integer(), 0, {
    isHalleyOnly: true,
    help: 'maximum number of calls per second from one client address; 0 means no limit',
  }),
  /**
   * The maximum number of calls that one address may send at the same moment. 0 means the number of `rate_limit`: an
   * address may then send the calls of one second together.
   */
  rate_burst: key(integer(), 0, {
    isHalleyOnly: true,
    help: 'maximum number of calls at the same time from one client address; 0 means the value of rate_limit',
  }),
  /**
   * The weights of operations for `rate_limit`, each as `name=number`: one call of the operation counts as this number
   * of calls. All other operations have the weight 1.
   */
  rate_costs: key(list, ['tx_search=10', 'block_search=10', 'dump_consensus_state=5', 'genesis_chunked=5'], {
    isHalleyOnly: true,
    help: 'weights of expensive operations for rate_limit: with tx_search=10, one call of tx_search counts as ten calls',
  }),
  /** Whether to compress answers with gzip or brotli for clients that accept it. */
  compression: key(flag, false, { isHalleyOnly: true, help: 'compress answers for clients that accept it' }),
  /** The permissions of the file of a unix socket. */
  socket_mode: key(fileMode, 0o600, { isHalleyOnly: true, help: 'file permissions of a unix socket, in octal digits' }),
  /** The maximum number of index keys that one search may read; 0 means no limit. */
  search_scan_budget: key(integer(), 5_000_000, {
    isHalleyOnly: true,
    help: 'maximum number of index keys that one search reads; 0 means no limit',
  }),
  /** The maximum time of one search; 0 means no limit. */
  search_deadline: key(duration(), 10n * SECOND, {
    isHalleyOnly: true,
    help: 'maximum time of one search; 0 means no limit',
  }),
  /** The maximum number of bytes of answers and events that wait for one WebSocket. */
  max_client_bytes: key(integer({ min: 65_536 }), 33_554_432, {
    isHalleyOnly: true,
    help: 'maximum bytes of answers and events that wait to be sent to one WebSocket client',
  }),
}
