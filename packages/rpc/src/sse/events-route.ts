import { isCodedError, messageOf } from '@org/runtime/errors'
import { utf8ToBytes } from '@org/types/bytes'
import { stringifyJson } from '@org/types/schema'
import { jsonResponse, resultReply } from '../call/envelope.ts'
import { string } from '../call/params.ts'
import { RPC_ERRORS } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import { parseQuery } from '../http/request-target.ts'
import { type Binary, ownText, textOfBinary } from '../json/index.ts'
import { MAX_QUERY_LENGTH } from '../operations/argument-rules.ts'
import { checkResumePosition } from '../operations/resume-position.ts'
import { type EventHistory, type EventItem, type Events, QUERY_SYNTAX } from '../ports/index.ts'
import type { RpcService } from '../service.ts'
import { catchUp } from '../subscriptions/catch-up.ts'
import { createEventFrames, type EventFrames } from '../subscriptions/event-frame.ts'
import {
  BLOCK_END,
  createEventPositionFormat,
  type EventPosition,
  heightAfter,
  parseEventPosition,
} from '../subscriptions/event-position.ts'
import { type EventStreamOptions, eventStream, type StreamModules, wakeOnBlocks } from './event-stream.ts'

/**
 * Answers `GET /events`: returns the stored and the new events after a position in the chain. The answer is one JSON
 * document, or a stream of server-sent events.
 */
export interface EventsRoute {
  readonly answer: (
    service: RpcService,
    call: { readonly request: HttpRequest; readonly query: Binary },
  ) => Promise<HttpResponse>
}

const DEFAULT_WAIT_MS = 5000
/**
 * The maximum time, in milliseconds, for which a request may wait for events. It is shorter than the shortest time
 * limit for an answer.
 */
const MAX_WAIT_MS = 8000
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
/** No further event is added to an answer that has this number of bytes. */
const MAX_ANSWER_BYTES = 1 << 20

/** The error for a request that is refused with an HTTP status and a message. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Errors for events that this node will never be able to send. A client must not repeat the request. */
const GONE: ReadonlySet<string> = new Set(['EVENTS_PRUNED', 'EVENTS_DISCARDED', RPC_ERRORS.otherChain])

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  if (!isCodedError(error)) return 500
  return GONE.has(error.code) ? 410 : 400
}

/** Returns the text of a parameter. In the URI, the text is in quotes, like other arguments, or without quotes. */
function textOf(raw: Binary): string {
  if (!raw.startsWith('"')) return textOfBinary(raw)
  try {
    return string.fromUri(raw)
  } catch (error) {
    throw new Refusal(400, messageOf(error))
  }
}

function numberOf(name: string, raw: Binary | undefined, { standard, max }: { standard: number; max: number }): number {
  if (raw === undefined || raw === '') return standard
  const text = textOf(raw)
  if (!/^[0-9]{1,9}$/.test(text)) throw new Refusal(400, `${name} must be a whole number, but got ${text}`)
  return Math.min(max, Number(text))
}

function positionOf(raw: Binary | undefined, history: EventHistory): EventPosition {
  if (raw === undefined || raw === '') return { height: history.lastHeight(), index: BLOCK_END }
  const text = textOf(raw)
  const position = parseEventPosition(text)
  if (position === undefined)
    throw new Refusal(400, `the parameter after must be a height, or the id of an event, but got ${text}`)
  checkResumePosition(position, history)
  return position
}

interface Poll {
  readonly followed: EventStreamOptions
  readonly waitMs: number
  readonly limit: number
}

/**
 * Answers a request for one JSON document. If no stored event matches the query, waits at most `waitMs` for new events.
 */
async function poll(
  { followed, waitMs, limit }: Poll,
  { service, events, history, frames }: StreamModules,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { clock, profile } = service
  const { query, matches, subscriber } = followed
  const signal = request.signal()
  const idOf = createEventPositionFormat(history)
  const start = clock.monotonic()
  const found: string[] = []
  let bytes = 0
  let { after } = followed
  const search = async (): Promise<void> => {
    after = await catchUp(
      {
        after,
        matches,
        deliver: (item, position) => {
          const text = `{"id":"${idOf(position)}",${frames.members(item)}}`
          found.push(text)
          bytes += text.length
          request.grew?.(text.length)
          return found.length < limit && bytes < MAX_ANSWER_BYTES ? 'more' : 'over'
        },
        isOver: () => signal.aborted || clock.monotonic() - start > Math.max(waitMs, DEFAULT_WAIT_MS),
        signal,
      },
      { history, turns: service.catchUpTurns },
    )
  }
  await search()
  if (found.length === 0 && waitMs > 0) {
    const waker = wakeOnBlocks(events, subscriber)
    const timer = clock.after(Math.max(0, waitMs - (clock.monotonic() - start)), waker.stop)
    signal.addEventListener('abort', waker.stop, { once: true })
    try {
      // A block may have been published after the first search and before the call of `wakeOnBlocks`. The waker does
      // not notice this block, so the search is repeated.
      await search()
      while (found.length === 0 && !waker.isOver()) {
        await waker.block()
        await search()
      }
    } finally {
      timer.cancel()
      signal.removeEventListener('abort', waker.stop)
      waker.stop()
    }
  }
  const text = `{"query":${stringifyJson(query)},"after":"${idOf(after)}","events":[${found.join(',')}]}`
  return jsonResponse(200, resultReply(profile.noId, text))
}

/** Creates the route `GET /events`. Returns `undefined` if the ports have no `history`, from which it reads events. */
export function createEventsRoute({ ports }: RpcService): EventsRoute | undefined {
  const events: Events | undefined = ports.events
  const history = events?.history
  return events === undefined || history === undefined ? undefined : routeOf(events, history)
}

function routeOf(events: Events, history: EventHistory): EventsRoute {
  const shared = new Map<string, EventFrames>()
  let count = 0

  function framesFor(service: RpcService): EventFrames {
    const frames = shared.get(service.profile.name) ?? createEventFrames(service.profile, service.ports)
    shared.set(service.profile.name, frames)
    return frames
  }

  function matcherOf(query: string): (item: EventItem) => boolean {
    if (query === '') throw new Refusal(400, "a query is needed, such as tm.event='NewBlock'")
    if (utf8ToBytes(query).length > MAX_QUERY_LENGTH) throw new Refusal(400, 'maximum query length exceeded')
    try {
      return history.matcher(query)
    } catch (error) {
      throw isCodedError(error, QUERY_SYNTAX) ? new Refusal(400, `failed to parse query: ${error.message}`) : error
    }
  }

  async function answer(
    service: RpcService,
    { request, query: text }: { readonly request: HttpRequest; readonly query: Binary },
  ): Promise<HttpResponse> {
    const values = parseQuery(text, ['query', 'after', 'wait', 'limit'])
    // The query is a part of the head, and the head can be long. This copy keeps only the query in memory.
    const query = ownText(textOf(values.get('query') ?? ''))
    const matches = matcherOf(query)
    const isStream = (request.headers.get('accept') ?? '').includes('text/event-stream')
    // The header `Last-Event-ID` has precedence over the parameter `after`. A client that reconnects requests the same
    // address again, with the old value of `after`. The header names the last event that the client received.
    const last = isStream ? request.headers.get('last-event-id') : undefined
    const after = positionOf(last ?? values.get('after'), history)
    const first = heightAfter(after, history)
    // Reads the first block now. If its events cannot be read, the client receives an error and not the beginning of a
    // stream.
    if (first <= history.lastHeight()) history.read(first)
    const { maxSubscriptionClients } = service.options
    if (events.numClients() >= maxSubscriptionClients)
      throw new Refusal(503, `max_subscription_clients ${maxSubscriptionClients} reached`)
    const subscriber = `${request.remoteAddress}/events/${++count}`
    const followed = { query, after, matches, subscriber }
    const modules = { service, events, history, frames: framesFor(service) }
    if (isStream) return eventStream(followed, modules, request)
    const waitMs = numberOf('wait', values.get('wait'), { standard: DEFAULT_WAIT_MS, max: MAX_WAIT_MS })
    const limit = numberOf('limit', values.get('limit'), { standard: DEFAULT_LIMIT, max: MAX_LIMIT })
    return poll({ followed, waitMs, limit: Math.max(1, limit) }, modules, request)
  }

  return {
    answer: async (service, call) => {
      try {
        return await answer(service, call)
      } catch (error) {
        const { errorReply, noId } = service.profile
        return jsonResponse(statusOf(error), errorReply(noId, 'server', messageOf(error)))
      }
    },
  }
}
