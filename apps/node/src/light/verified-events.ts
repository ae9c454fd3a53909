import { compileQuery, parseQuery, type Query } from '@org/engine/query'
import type { VerifiedClient } from '@org/light/verified'
import type { Events, SubscribeOptions } from '@org/rpc'
import { type EventType, eventDataFromJson } from '@org/types'
import type { Json } from '@org/types/schema'
import { LIGHT_PROXY_ERRORS, LightProxyError, textFor } from './errors.ts'

/**
 * The maximum number of different queries of all subscribers. For each query, the proxy opens a connection to the
 * primary. The maximum is half of the 100 clients with subscriptions that a node accepts by default.
 */
const MAX_QUERIES = 50

/** A subscription at the primary. All subscribers of one query share it, also if they spell the query differently. */
interface Feed {
  readonly query: Query
  /** The clients that receive the events, by the name of the subscriber. */
  readonly listeners: Map<string, SubscribeOptions>
  readonly stop: AbortController
}

export interface VerifiedEventsModules {
  /** Opens a client with a WebSocket to the primary. */
  readonly open: () => Pick<VerifiedClient, 'subscribe' | 'close'>
}

export interface VerifiedEvents extends Events {
  /** Ends all subscriptions. `reason` is sent to the clients of these subscriptions. */
  readonly stop: (reason: string) => void
}

function wrongEvent({ text }: Query): LightProxyError {
  const message = `the node sent an event that does not match the query ${text}: ask another node`
  return new LightProxyError(LIGHT_PROXY_ERRORS.wrongEvent, message)
}

/**
 * Creates subscriptions to verified events of the primary. An event that fails the verification ends its subscription.
 */
export function createVerifiedEvents({ open }: VerifiedEventsModules): VerifiedEvents {
  /** The subscriptions at the primary. The key is the normal form of the query. */
  const feeds = new Map<string, Feed>()

  function end(feed: Feed, reason: string): void {
    if (feeds.get(feed.query.text) === feed) feeds.delete(feed.query.text)
    feed.stop.abort()
    for (const { onCancelled, onEnded } of [...feed.listeners.values()]) {
      onCancelled(reason)
      onEnded?.()
    }
    feed.listeners.clear()
  }

  async function run(feed: Feed): Promise<void> {
    const client = open()
    const matches = compileQuery(feed.query)
    try {
      for await (const { data, events } of client.subscribe(feed.query.text, { signal: feed.stop.signal })) {
        if (!matches(events)) throw wrongEvent(feed.query)
        const type = events['tm.event']?.[0] as EventType
        const item = { data: eventDataFromJson(type, data as unknown as Json), events }
        for (const { onItem } of [...feed.listeners.values()]) onItem(item)
      }
      end(feed, 'the primary ended the subscription')
    } catch (error) {
      if (!feed.stop.signal.aborted) end(feed, textFor(error))
    } finally {
      client.close()
    }
  }

  function openFeed(query: Query): Feed {
    if (feeds.size >= MAX_QUERIES) {
      const message = `the proxy follows ${MAX_QUERIES} queries already, which is the maximum: subscribe to one of these queries, or use another proxy`
      throw new LightProxyError(LIGHT_PROXY_ERRORS.full, `${message} [${LIGHT_PROXY_ERRORS.full}]`)
    }
    const feed: Feed = { query, listeners: new Map(), stop: new AbortController() }
    feeds.set(query.text, feed)
    void run(feed)
    return feed
  }

  function remove(subscriber: string, feed: Feed): void {
    feed.listeners.get(subscriber)?.onEnded?.()
    feed.listeners.delete(subscriber)
    if (feed.listeners.size > 0) return
    feeds.delete(feed.query.text)
    feed.stop.abort()
  }

  const feedsOf = (subscriber: string): readonly Feed[] =>
    [...feeds.values()].filter(({ listeners }) => listeners.has(subscriber))

  return {
    numClients: () => new Set([...feeds.values()].flatMap(({ listeners }) => [...listeners.keys()])).size,
    numClientSubscriptions: (subscriber) => feedsOf(subscriber).length,
    subscribe: (options) => {
      // Throws an error if the text is not a valid query.
      const query = parseQuery(options.query)
      const feed = feeds.get(query.text)
      if (feed?.listeners.has(options.subscriber) === true)
        throw new LightProxyError(LIGHT_PROXY_ERRORS.subscribed, 'already subscribed')
      ;(feed ?? openFeed(query)).listeners.set(options.subscriber, options)
    },
    unsubscribe: (subscriber, query) => {
      const feed = feeds.get(parseQuery(query).text)
      if (feed?.listeners.has(subscriber) !== true)
        throw new LightProxyError(LIGHT_PROXY_ERRORS.notSubscribed, 'subscription not found')
      remove(subscriber, feed)
    },
    unsubscribeAll: (subscriber) => {
      const subscribedFeeds = feedsOf(subscriber)
      if (subscribedFeeds.length === 0)
        throw new LightProxyError(LIGHT_PROXY_ERRORS.notSubscribed, 'subscription not found')
      for (const feed of subscribedFeeds) remove(subscriber, feed)
    },
    awaitTx: () =>
      Promise.reject(
        new LightProxyError(
          LIGHT_PROXY_ERRORS.unsupported,
          'a proxy does not wait for transactions: send broadcast_tx_commit to the primary',
        ),
      ),
    stop: (reason) => {
      for (const feed of [...feeds.values()]) end(feed, reason)
    },
  }
}
