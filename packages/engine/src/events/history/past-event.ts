import { type EventData, type EventType, ROUND_STATE_EVENTS } from '@org/types'
import { LRUCache } from 'lru-cache'
import { EVENT_ERRORS, EventError } from '../errors.ts'
import { flattenEvent } from '../flat-events.ts'
import { compileQuery, eventTypeOf, type FlatEvents, type Query } from '../query/index.ts'

/** An event of a stored block. */
export interface PastEvent {
  readonly data: EventData
  readonly events: FlatEvents
}

/**
 * Makes an event of a stored block. Its attributes are computed only when they are first read, because most events of a
 * block are never compared with a query.
 */
export function pastEvent(data: EventData): PastEvent {
  let events: FlatEvents | undefined
  return {
    data,
    get events() {
      events ??= flattenEvent(data)
      return events
    },
  }
}

/** The types of events that the node does not store. */
const UNSTORED: readonly EventType[] = [...ROUND_STATE_EVENTS, 'NewRound', 'CompleteProposal', 'Vote']

/**
 * Returns a function that returns true if an event of a block matches the query. Throws {@link EventError}
 * (`EVENTS_NOT_RESUMABLE`) if events of consensus rounds could match too, because such events are not stored.
 */
export function resumableMatcher(query: Query): (event: PastEvent) => boolean {
  const matches = compileQuery(query)
  const unstored = UNSTORED.find((type) => matches({ 'tm.event': [type] }))
  if (unstored !== undefined) {
    const why = `${unstored} events match the query; events of consensus rounds are not stored and cannot be resumed`
    throw new EventError(EVENT_ERRORS.notResumable, `${EVENT_ERRORS.notResumable}: ${why}`, {
      data: { type: unstored },
    })
  }
  const type = eventTypeOf(query)
  if (type !== undefined) return ({ data }) => data.type === type
  return ({ events }) => matches(events)
}

/** The maximum number of matchers that are kept for later calls with an equal query. */
const MAX_QUERIES = 100

/**
 * Does the same as {@link resumableMatcher}, but keeps the matchers. Equal queries get the same matcher, which tests
 * each event only once.
 */
export function createResumableMatchers(): typeof resumableMatcher {
  const shared = new LRUCache<string, (event: PastEvent) => boolean>({ max: MAX_QUERIES })
  return (query) => {
    const known = shared.get(query.text)
    if (known !== undefined) return known
    const matches = resumableMatcher(query)
    const results = new WeakMap<PastEvent, boolean>()
    const once = (event: PastEvent): boolean => {
      let result = results.get(event)
      if (result === undefined) {
        result = matches(event)
        results.set(event, result)
      }
      return result
    }
    shared.set(query.text, once)
    return once
  }
}
