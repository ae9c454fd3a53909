import type { Logger, Metrics } from '@org/runtime'
import { RPC_ERRORS } from '../errors.ts'
import type { ConnectionRegistry, TrackedConnection } from '../http/index.ts'

export interface ClientMemoryOptions {
  /** The maximum number of bytes of requests that all connections together hold. */
  readonly maxRequestsBytes: number
  /**
   * The maximum number of bytes of answers and events that have not been read by their clients, summed over all
   * clients.
   */
  readonly maxUnreadBytes: number
}

export interface ClientMemoryModules {
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface Held {
  readonly requestBytes: number
  readonly unreadBytes: number
}

/** Bounds the memory that all clients together use. */
export interface ClientMemory extends ConnectionRegistry {
  readonly held: () => Held
  /**
   * Closes connections, the one with the most memory first. Stops when the closed connections held at least `bytes`
   * together, or when each open connection holds less than {@link WORTH_CLOSING}. Returns the number of bytes that the
   * closed connections held.
   */
  readonly closeLargest: (bytes: number) => number
  /** While true, new requests are refused. */
  readonly setShort: (isShort: boolean) => void
  readonly isShort: () => boolean
  /** Counts a request that was refused because the node is short of memory. */
  readonly refused: () => void
}

/**
 * A fraction of the smaller bound in {@link ClientMemoryOptions}. Each connection reports the bytes that it adds to its
 * memory. When the reported bytes reach this fraction of the bound, the memory of all connections is summed up again,
 * and the sums are compared with the bounds. A sum at each write would take too much time.
 */
const CHECK_AFTER = 1 / 16
/**
 * When the sum over all connections is above its bound, connections are closed until the sum is at most this share of
 * the bound. Without this margin, each further message could close a connection.
 */
const CLOSE_DOWN_TO = 7 / 8
/** A connection that holds fewer bytes than this is not closed when the whole node is short of memory. */
const WORTH_CLOSING = 64 * 1024

type Measure = 'requestBytes' | 'unreadBytes'

interface Weighed {
  readonly holder: TrackedConnection
  readonly bytes: number
}

/**
 * Returns the connections that hold memory, the largest first. If two connections hold the same amount, the newer
 * connection is first.
 */
function largestFirst(
  holders: Iterable<TrackedConnection>,
  weigh: (holder: TrackedConnection) => number,
): readonly Weighed[] {
  const weighed = [...holders].map((holder) => ({ holder, bytes: weigh(holder) })).filter(({ bytes }) => bytes > 0)
  return weighed.reverse().sort((a, b) => b.bytes - a.bytes)
}

const sumOf = (weighed: readonly Weighed[]): number => weighed.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Bounds the memory that all clients use together. Each connection has its own bounds, but the sum over many
 * connections could need more memory than a node has: for example 900 connections with 1 MB each. To save time, the
 * sums are not computed at each write, but only when the memory has grown by {@link CHECK_AFTER}.
 */
export function createClientMemory(
  options: ClientMemoryOptions,
  { logger, metrics }: ClientMemoryModules,
): ClientMemory {
  const holders = new Set<TrackedConnection>()
  /** Connections that were closed, but hold memory until their last bytes are written. */
  const leaving = new WeakSet<TrackedConnection>()
  const checkAfter = Math.min(options.maxRequestsBytes, options.maxUnreadBytes) * CHECK_AFTER
  const closed = metrics.counter({
    name: 'rpc_memory_closed_clients_total',
    help: 'Connections that the node closed because of the memory that their clients held. The label names the kind of data.',
    labels: ['held'],
  })
  const refusals = metrics.counter({
    name: 'rpc_memory_refused_requests_total',
    help: 'Requests that were refused because the node was short of memory.',
  })
  let grown = 0
  let short = false

  /**
   * Closes a connection. If this function has closed the connection before, and the connection still holds memory, ends
   * the connection at once.
   */
  function close({ holder, bytes }: Weighed, held: string, reason: string): void {
    if (leaving.has(holder)) {
      holder.shed(reason)
      return
    }
    leaving.add(holder)
    closed.add(1, { held })
    const client = holder.name()
    logger.warn('Closed the connection of a client that used much memory', { client, held, bytes, reason })
    holder.shed(reason)
  }

  /**
   * If the sum over all connections is above `limit`, closes connections. Does not close `spared`, because data is
   * being written to this connection, and its client has had no time to read the data.
   */
  function enforce(measure: Measure, limit: number, spared: TrackedConnection | undefined): void {
    const weighed = largestFirst(holders, (holder) => holder[measure]())
    let total = sumOf(weighed)
    if (total <= limit) return
    const what = measure === 'requestBytes' ? 'requests' : 'unread answers and events'
    const reason = `${RPC_ERRORS.memory}: the ${what} of all clients together use ${total} bytes; the limit is ${limit}; try again later, with fewer or smaller requests at a time`
    for (const one of weighed) {
      if (total <= limit * CLOSE_DOWN_TO) return
      if (one.holder === spared) continue
      close(one, what, reason)
      total -= one.bytes
    }
  }

  const allBytes = (holder: TrackedConnection): number => holder.requestBytes() + holder.unreadBytes()

  return {
    join: (holder) => {
      holders.add(holder)
      return () => void holders.delete(holder)
    },
    grew: (bytes, holder) => {
      grown += bytes
      if (grown < checkAfter) return
      grown = 0
      enforce('requestBytes', options.maxRequestsBytes, undefined)
      enforce('unreadBytes', options.maxUnreadBytes, holder)
    },
    held: () => {
      let [requestBytes, unreadBytes] = [0, 0]
      for (const holder of holders) {
        requestBytes += holder.requestBytes()
        unreadBytes += holder.unreadBytes()
      }
      return { requestBytes, unreadBytes }
    },
    closeLargest: (bytes) => {
      const reason = `${RPC_ERRORS.memory}: the node is short of memory; try again later`
      let freed = 0
      for (const one of largestFirst(holders, allBytes)) {
        if (freed >= bytes || one.bytes < WORTH_CLOSING) break
        close(one, 'requests, unread answers and events', reason)
        freed += one.bytes
      }
      return freed
    },
    setShort: (isShort) => {
      short = isShort
    },
    isShort: () => short,
    refused: () => refusals.add(1),
  }
}
