import { DEFAULT_RPC_OPTIONS, type RpcOptions } from '@org/rpc/server'
import { type Config, SECTIONS } from '../config/index.ts'
import { heapLimit, memoryLimit } from './limit.ts'

/** The memory that the process may use, in bytes. */
export interface MemoryLimits {
  readonly heapLimit: number
  readonly processLimit: number
}

/**
 * The part of the heap limit that the bytes of all requests together may take. While the node works on a request, the
 * work needs several times as much memory as the bytes of the request.
 */
const REQUESTS_OF_HEAP = 1 / 16
/** The part of the memory limit of the process that may be used by data which clients have not read yet. */
const UNREAD_OF_PROCESS = 1 / 8
/** The part of the memory limit of the process that the transactions in the mempool may use. */
const TXS_OF_PROCESS = 1 / 4
/**
 * The part of the memory limit of the process that transactions may use while they wait for CheckTx. Transactions that
 * arrive during a commit wait in another queue, which may use a part of the same size.
 */
const CHECKS_OF_PROCESS = 1 / 16
/** The part of the memory limit of the process that the unfinished messages of all peers may use. */
const UNFINISHED_OF_PROCESS = 1 / 8
/** The minimum number of bytes for unfinished messages of all peers: the size of a message with the longest block. */
const MAX_MESSAGE_BYTES = 101 * 1024 * 1024

export function memoryLimits({ base }: Pick<Config, 'base'>): MemoryLimits {
  return { heapLimit: heapLimit(), processLimit: memoryLimit(base.maxMemoryBytes) }
}

/**
 * Returns two limits for all clients together: the maximum number of bytes of their requests, and the maximum number of
 * bytes of the data that they have not read. Each limit has its default value, or a lower value on a small machine. The
 * limit of the requests always allows at least one request.
 */
export function clientShares(
  { heapLimit, processLimit }: MemoryLimits,
  { rpc }: Pick<Config, 'rpc'>,
): Pick<RpcOptions, 'maxRequestsBytes' | 'maxUnreadBytes'> {
  const { maxRequestsBytes, maxUnreadBytes } = DEFAULT_RPC_OPTIONS
  return {
    maxRequestsBytes: Math.max(
      2 * rpc.maxBodyBytes,
      Math.min(maxRequestsBytes, Math.floor(heapLimit * REQUESTS_OF_HEAP)),
    ),
    maxUnreadBytes: Math.min(maxUnreadBytes, Math.floor(processLimit * UNREAD_OF_PROCESS)),
  }
}

/** A configuration key that allows more memory than the node has. */
export interface Excess {
  readonly key: string
  readonly configured: number
  /** The default value of this configuration key. */
  readonly usual: number
  /** The largest value of this configuration key for which the node has enough memory. */
  readonly fits: number
}

/** Returns the configuration keys that allow too much memory, each with a value that fits. */
export function excessiveKeys({ heapLimit, processLimit }: MemoryLimits, { rpc, mempool }: Config): readonly Excess[] {
  const keys: readonly Excess[] = [
    {
      key: 'mempool.max_txs_bytes',
      configured: mempool.maxTxsBytes,
      usual: SECTIONS.mempool.max_txs_bytes.fallback,
      fits: processLimit * TXS_OF_PROCESS,
    },
    {
      key: 'mempool.max_tx_bytes',
      configured: mempool.maxTxBytes,
      usual: SECTIONS.mempool.max_tx_bytes.fallback,
      fits: processLimit * TXS_OF_PROCESS,
    },
    {
      key: 'rpc.max_body_bytes',
      configured: rpc.maxBodyBytes,
      usual: SECTIONS.rpc.max_body_bytes.fallback,
      fits: heapLimit * REQUESTS_OF_HEAP,
    },
    {
      key: 'rpc.max_client_bytes',
      configured: rpc.maxClientBytes,
      usual: SECTIONS.rpc.max_client_bytes.fallback,
      fits: processLimit * UNREAD_OF_PROCESS,
    },
  ]
  return keys
    .filter(({ configured, fits }) => configured > fits)
    .map(({ fits, ...excess }) => ({ ...excess, fits: Math.floor(fits) }))
}

/** Returns the configuration with a mempool that fits into the memory. */
export function withFittingMempool({ processLimit }: MemoryLimits, config: Config): Config {
  const maxTxsBytes = Math.min(config.mempool.maxTxsBytes, Math.floor(processLimit * TXS_OF_PROCESS))
  return { ...config, mempool: { ...config.mempool, maxTxsBytes } }
}

/**
 * Returns the maximum number of bytes of the transactions that wait for CheckTx: the default, or less on a small
 * machine.
 */
export function checksShare({ processLimit }: MemoryLimits, usual: number): number {
  return Math.min(usual, Math.floor(processLimit * CHECKS_OF_PROCESS))
}

/**
 * Returns the maximum number of bytes of the unfinished messages of all peers: the default, or less on a small machine.
 */
export function unfinishedShare({ processLimit }: MemoryLimits, usual: number): number {
  return Math.min(usual, Math.max(MAX_MESSAGE_BYTES, Math.floor(processLimit * UNFINISHED_OF_PROCESS)))
}
