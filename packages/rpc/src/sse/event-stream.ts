import type { Clock, Timer } from '@org/runtime'
import { messageOf } from '@org/runtime/errors'
import { stringifyJson } from '@org/types/schema'
import { refused } from '../errors.ts'
import { type HttpRequest, type HttpResponse, headerBlock, type StreamSink } from '../http/index.ts'
import type { EventHistory, EventItem, Events } from '../ports/index.ts'
import type { RpcService } from '../service.ts'
import { catchUp } from '../subscriptions/catch-up.ts'
import type { EventFrames } from '../subscriptions/event-frame.ts'
import { createEventPositionFormat, type EventPosition } from '../subscriptions/event-position.ts'

/**
 * The interval, in milliseconds, at which a comment is written to an idle stream. The comments keep proxies from
 * closing the stream, and let the node notice that a client is gone. If data already wait for the client, no comment is
 * written.
 */
const HEARTBEAT_MS = 15_000
/** Milliseconds after which a client that reads nothing is disconnected. */
const STALLED_MS = 30_000

const HEADERS = headerBlock([
  ['Cache-Control', 'no-store'],
  ['Content-Type', 'text/event-stream'],
])

/**
 * The events that a client follows: those that match the query, after a position in the chain. `subscriber` is the name
 * of the client on the event bus.
 */
export interface EventStreamOptions {
  readonly query: string
  readonly after: EventPosition
  readonly matches: (item: EventItem) => boolean
  readonly subscriber: string
}

export interface StreamModules {
  readonly service: RpcService
  readonly events: Events
  readonly history: EventHistory
  readonly frames: EventFrames
}

/** Lets a stream wait for the next published block. */
export interface BlockWaker {
  /**
   * Waits for the next published block, or for the end of the stream. Resolves at once if a block was published after
   * the previous call of this function.
   */
  readonly block: () => Promise<void>
  readonly isOver: () => boolean
  /** Returns the reason for which the node ended the stream; `undefined` if the node did not end it. */
  readonly cancelled: () => string | undefined
  readonly stop: () => void
}

/** Writes a comment to the stream at each interval. Disconnects a client that does not read waiting data. */
interface Stall {
  readonly begin: () => void
  readonly end: () => void
  readonly stop: () => void
}

function watchStall(sink: StreamSink, clock: Clock, onStalled: () => void): Stall {
  let since: number | undefined
  let timer: Timer | undefined
  const beat = (): void => {
    if (since !== undefined && clock.monotonic() - since > STALLED_MS) {
      sink.destroy()
      onStalled()
      return
    }
    if (since === undefined) sink.write(':\n\n')
    timer = clock.after(HEARTBEAT_MS, beat)
  }
  timer = clock.after(HEARTBEAT_MS, beat)
  return {
    begin: () => {
      since = clock.monotonic()
    },
    end: () => {
      since = undefined
    },
    stop: () => timer?.cancel(),
  }
}

export function wakeOnBlocks(events: Events, subscriber: string): BlockWaker {
  const query = "tm.event='NewBlock'"
  let came = false
  /** This signal aborts when the node or `stop` has ended the subscription. */
  const ending = new AbortController()
  const { signal } = ending
  let reason: string | undefined
  let wake: () => void = () => undefined
  events.subscribe({
    subscriber,
    query,
    capacity: 1,
    onItem: () => {
      came = true
      wake()
    },
    onCancelled: (why) => {
      reason = why
    },
    onEnded: () => ending.abort(),
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    block: async () => {
      if (!came && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      came = false
    },
    isOver: () => signal.aborted,
    cancelled: () => reason,
    stop: () => {
      if (signal.aborted) return
      ending.abort()
      events.unsubscribe(subscriber, query)
    },
  }
}

/**
 * Sends server-sent events: first the stored events, then new ones. All of them are read from the stores, as fast as
 * the client reads.
 */
export function eventStream(followed: EventStreamOptions, modules: StreamModules, request: HttpRequest): HttpResponse {
  const { query, matches, subscriber } = followed
  const { service, events, history, frames } = modules
  const { clock, profile } = service
  const signal = request.signal()
  const idOf = createEventPositionFormat(history)
  const before = (position: EventPosition): string => `id: ${idOf(position)}\ndata: {"query":${stringifyJson(query)},`

  async function follow(sink: StreamSink, waker: BlockWaker, stall: Stall): Promise<void> {
    const drained = async (): Promise<boolean> => {
      stall.begin()
      await sink.drained()
      stall.end()
      return !signal.aborted
    }
    const deliver = (item: EventItem, position: EventPosition): 'more' | 'behind' => {
      sink.write(before(position), frames.memberBytes(item), '}\n\n')
      service.meter?.delivered(1)
      return sink.isBehind() ? 'behind' : 'more'
    }
    const isOver = (): boolean => signal.aborted || !sink.isOpen() || waker.cancelled() !== undefined
    let after = followed.after
    sink.write(`retry: 1000\nid: ${idOf(after)}\n\n`)
    while (!isOver()) {
      after = await catchUp(
        { after, matches, deliver, drained, isOver, signal },
        { history, turns: service.catchUpTurns },
      )
      if (!isOver()) await waker.block()
    }
    const reason = waker.cancelled()
    if (reason !== undefined) throw refused(`subscription was canceled (reason: ${reason})`)
  }

  async function stream(sink: StreamSink): Promise<void> {
    const stall = watchStall(sink, clock, () => service.meter?.dropped())
    let waker: BlockWaker | undefined
    try {
      waker = wakeOnBlocks(events, subscriber)
      signal.addEventListener('abort', waker.stop, { once: true })
      if (!signal.aborted) await follow(sink, waker, stall)
    } catch (error) {
      const reply = profile.errorReply(profile.noId, 'server', messageOf(error))
      sink.write(`event: failed\ndata: ${reply.join('')}\n\n`)
    } finally {
      stall.stop()
      waker?.stop()
      sink.end()
    }
  }
  return { status: 200, headers: HEADERS, body: [], stream: (sink) => void stream(sink) }
}
