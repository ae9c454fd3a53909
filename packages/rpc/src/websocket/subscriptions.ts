import { isCodedError, messageOf } from '@org/runtime/errors'
import type { SubscriberConnection } from '../call/route.ts'
import { refused } from '../errors.ts'
import { type EventItem, type Events, QUERY_SYNTAX } from '../ports/index.ts'
import type { RpcService } from '../service.ts'
import { type EventFrames, heightOfEvent } from '../subscriptions/event-frame.ts'
import type { EventFrame } from '../subscriptions/frame-bundle.ts'
import { type Resumed, resume } from '../subscriptions/resume-subscription.ts'
import type { WebSocketWriter } from './websocket-writer.ts'

const SLOW = 'client is not pulling messages fast enough'
/** The code in the message that is sent to a client whose connection held too many bytes. */
const OVERFLOW = 'EVENTS_OVERFLOW'

/**
 * The maximum memory of a subscription, in bytes per character of the text `before`. This text is the beginning of each
 * message of the subscription. The client chooses the id of its request, and the id is kept in two texts: alone, and as
 * part of `before`. Each of the two texts has one or two bytes per character.
 */
const BYTES_PER_CHARACTER = 4

export interface SubscriptionsModules {
  readonly service: RpcService
  readonly frames: EventFrames
  readonly writer: WebSocketWriter
  /** Closes the connection, and advises the client to reconnect later. */
  readonly turnAway: () => void
}

interface Subscription {
  readonly query: string
  readonly requestId: string
  /** The beginning of each message of this subscription, up to the event. */
  readonly before: string
}

/** The subscriptions of one WebSocket. Sends their events. Ends a subscription if the client does not keep up. */
export class Subscriptions implements SubscriberConnection {
  readonly #subscriber: string
  readonly #modules: SubscriptionsModules
  #count = 0
  #bytes = 0
  /** The height of the last event that was written; 0 before the first event with a height. */
  #lastHeight = 0

  /** `subscriber` is the name of this WebSocket on the event bus. */
  constructor(subscriber: string, modules: SubscriptionsModules) {
    this.#subscriber = subscriber
    this.#modules = modules
  }

  /** The memory of the ids and queries of all subscriptions, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  subscribe(query: string, requestId: string, after?: number): void {
    const before = this.#modules.frames.before(requestId, query)
    const bytes = before.length * BYTES_PER_CHARACTER
    const subscription: Subscription = { query, requestId, before }
    const past = after === undefined ? undefined : named(() => this.#resumed(subscription, after))
    named(() =>
      this.#events().subscribe({
        subscriber: this.#subscriber,
        query,
        capacity: this.#modules.service.options.subscriptionBufferSize,
        onItem: (item) => {
          if (past === undefined || past.isLive()) this.#sendEvent(item, subscription)
        },
        onCancelled: (reason) => {
          this.#count--
          this.#sendCancelled(requestId, reason)
        },
        onEnded: () => {
          this.#bytes -= bytes
          past?.stop()
        },
      }),
    )
    this.#count++
    this.#bytes += bytes
    past?.start()
  }

  unsubscribe(query: string): void {
    named(() => this.#events().unsubscribe(this.#subscriber, query))
    this.#count--
  }

  unsubscribeAll(): void {
    this.#events().unsubscribeAll(this.#subscriber)
    this.#count = 0
  }

  /** Ends all subscriptions. `RpcWebSocket` must call this method when the connection is closed. */
  end(): void {
    if (this.#count === 0) return
    try {
      this.unsubscribeAll()
    } catch {
      // An error means that the event bus has already ended the subscriptions.
    }
  }

  /**
   * Makes a subscription that first sends the missed events, as fast as the client reads. The events are read from the
   * stores. An event that is published meanwhile is stored too, so it is sent in its turn.
   */
  #resumed({ query, requestId, before }: Subscription, after: number): Resumed {
    const { writer, service } = this.#modules
    const { history } = this.#events()
    if (history === undefined) throw refused('this node stores no events, so subscriptions cannot be resumed')
    const options = {
      query,
      after,
      deliver: (item: EventItem): 'more' | 'behind' => {
        this.#deliver(item, this.#modules.frames.storedFrame(item, before))
        return writer.isAhead ? 'behind' : 'more'
      },
      drained: () => writer.drained(),
      onFailed: (error: unknown) => {
        if (this.#cancel(query)) this.#sendCancelled(requestId, messageOf(error))
      },
    }
    return resume(options, { history, turns: service.catchUpTurns })
  }

  #events(): Events {
    const { events } = this.#modules.service.ports
    if (events === undefined) throw refused('this node has no events to subscribe to')
    return events
  }

  #sendEvent(item: EventItem, { query, requestId, before }: Subscription): void {
    const { writer, service } = this.#modules
    if (!writer.isOpen) return
    if (!writer.isFull) {
      this.#deliver(item, this.#modules.frames.frame(item, before))
      return
    }
    if (!service.options.strict && writer.isOverBudget) {
      this.#overflow(requestId)
      return
    }
    if (!this.#cancel(query)) return
    service.meter?.dropped()
    this.#sendCancelled(requestId, service.options.closeOnSlowClient ? 'slow client' : SLOW)
  }

  #deliver(item: EventItem, frame: EventFrame): void {
    this.#modules.writer.sendEvent(frame)
    this.#lastHeight = heightOfEvent(item.data) ?? this.#lastHeight
  }

  /**
   * Closes a connection with too many waiting bytes. Before that, the events that already wait are sent, and then a
   * message with the height of the last event.
   */
  #overflow(requestId: string): void {
    this.#modules.service.meter?.dropped()
    this.#sendCancelled(requestId, `${SLOW}; ${OVERFLOW}: last delivered height ${this.#lastHeight}`)
    this.#modules.turnAway()
    this.end()
  }

  /** Ends a subscription. Returns false if it had ended already. */
  #cancel(query: string): boolean {
    try {
      this.unsubscribe(query)
      return true
    } catch {
      return false
    }
  }

  #sendCancelled(requestId: string, reason: string): void {
    const { writer, service } = this.#modules
    writer.send(service.profile.errorReply(requestId, 'server', `subscription was canceled (reason: ${reason})`))
  }
}

/** Runs `action`. Adds `failed to parse query: ` to its error if the error is about a query that does not parse. */
function named<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw isCodedError(error, QUERY_SYNTAX) ? refused(`failed to parse query: ${error.message}`) : error
  }
}
