import type { Clock, Metrics } from '@org/runtime'
import { type HttpHandler, type HttpResponse, type HttpUpgrade, sizeOfPart } from '../http/index.ts'
import type { Events } from '../ports/index.ts'

/** Counts the work of the RPC, for metrics. */
export interface RpcMeter {
  /** Records the beginning of a call; the returned function records its end. */
  readonly call: (method: string) => () => void
  /** Receives each change of the number of waiting calls. */
  readonly waiting: (change: number) => void
  readonly received: (bytes: number) => void
  readonly sent: (bytes: number) => void
  readonly rateLimited: () => void
  /** Counts events that were written for a subscriber. */
  readonly delivered: (events: number) => void
  /** Counts a subscription or stream that ended because its client did not read the events. */
  readonly dropped: () => void
  /** Returns an event bus that passes everything on to `events`. The meter counts the subscriptions of this bus. */
  readonly watch: (events: Events) => Events
}

/**
 * The upper limits of the histogram's buckets, in seconds. The shortest calls are answered from the cache; the longest
 * is `broadcast_tx_commit`, which waits for a block.
 */
const BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Creates the meter of the RPC. The names of its metrics are our own, because the reference has no metrics of the RPC.
 */
export function createMeter(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): RpcMeter {
  const duration = metrics.histogram({
    name: 'rpc_call_duration_seconds',
    help: 'Time to answer a call, by operation.',
    labels: ['method'],
    buckets: BUCKETS,
  })
  const inFlight = metrics.gauge({ name: 'rpc_calls_in_flight', help: 'Calls that are being answered.' })
  const waiting = metrics.gauge({ name: 'rpc_calls_waiting', help: 'Calls that wait until other calls end.' })
  const received = metrics.counter({ name: 'rpc_received_bytes_total', help: 'Bytes of bodies and messages received.' })
  const sent = metrics.counter({ name: 'rpc_sent_bytes_total', help: 'Bytes of bodies and messages sent.' })
  const limited = metrics.counter({
    name: 'rpc_rate_limited_total',
    help: 'Requests that were refused by the rate limit.',
  })
  const subscriptions = metrics.gauge({ name: 'rpc_subscriptions', help: 'Open subscriptions.' })
  const delivered = metrics.counter({
    name: 'rpc_delivered_events_total',
    help: 'Events that were written to connections. An event for two subscribers counts twice.',
  })
  const dropped = metrics.counter({
    name: 'rpc_dropped_subscriptions_total',
    help: 'Subscriptions that ended because the client read its events too slowly.',
  })
  return {
    call: (method) => {
      const start = clock.monotonic()
      inFlight.add(1)
      return () => {
        inFlight.add(-1)
        duration.observe((clock.monotonic() - start) / 1000, { method })
      }
    },
    waiting: (change) => waiting.add(change),
    received: (bytes) => received.add(bytes),
    sent: (bytes) => sent.add(bytes),
    rateLimited: () => limited.add(),
    delivered: (events) => delivered.add(events),
    dropped: () => dropped.add(),
    watch: (events) => ({
      ...events,
      subscribe: (options) => {
        events.subscribe({
          ...options,
          onEnded: () => {
            subscriptions.add(-1)
            options.onEnded?.()
          },
        })
        subscriptions.add(1)
      },
    }),
  }
}

/** Counts the bytes of requests and answers. */
export function withMeter(handler: HttpHandler, meter: RpcMeter): HttpHandler {
  const counted = (answer: HttpResponse | HttpUpgrade): HttpResponse | HttpUpgrade => {
    if ('upgrade' in answer) return answer
    let bytes = 0
    for (const part of answer.body) bytes += sizeOfPart(part)
    meter.sent(bytes)
    const { stream } = answer
    if (stream === undefined) return answer
    return {
      ...answer,
      stream: (sink) =>
        stream({
          ...sink,
          write: (...parts) => {
            for (const part of parts) meter.sent(sizeOfPart(part))
            sink.write(...parts)
          },
        }),
    }
  }
  return async (request) => {
    meter.received(request.body.length)
    return counted(await handler(request))
  }
}
