import { afterHeight, blockHash, chainId, string } from '../call/params.ts'
import { defineRoute } from '../call/route.ts'
import { refused } from '../errors.ts'
import { checkQueryLength } from './argument-rules.ts'
import { emptyResult } from './results.ts'
import { checkResumePosition } from './resume-position.ts'

export const subscribe = defineRoute({
  name: 'subscribe',
  summary: 'Subscribes to events that match a query. The events have the id of this request.',
  category: 'WebSocket',
  params: { query: string },
  required: ['query'],
  extras: { after_height: afterHeight, chain_id: chainId, block_hash: blockHash },
  result: emptyResult,
  websocketOnly: true,
  needs: ['events'],
  handler: (
    { ports, options, remoteAddress, connection, requestId },
    { query, after_height: after, chain_id: chain, block_hash: hash },
  ) => {
    const events = ports.events
    if (events.numClients() >= options.maxSubscriptionClients)
      throw refused(`max_subscription_clients ${options.maxSubscriptionClients} reached`)
    if (events.numClientSubscriptions(remoteAddress) >= options.maxSubscriptionsPerClient)
      throw refused(`max_subscriptions_per_client ${options.maxSubscriptionsPerClient} reached`)
    checkQueryLength(query)
    if (after !== undefined && after < 0n) throw refused(`after_height must not be negative, but got ${after}`)
    if (events.history !== undefined) {
      const height = after === undefined ? 0 : Number(after)
      if (hash && !/^[0-9A-Fa-f]{8,64}$/.test(hash))
        throw refused(`block_hash must be 8 to 64 hex digits of the hash of the block at after_height, but got ${hash}`)
      const place = { height, chainId: chain || undefined, blockHash: hash || undefined }
      checkResumePosition(place, events.history)
    }
    connection.subscribe(query, requestId, after === undefined ? undefined : Number(after))
    return {}
  },
})

export const unsubscribe = defineRoute({
  name: 'unsubscribe',
  summary: 'Ends the subscription to a query.',
  category: 'WebSocket',
  params: { query: string },
  required: ['query'],
  result: emptyResult,
  websocketOnly: true,
  needs: ['events'],
  handler: ({ connection, options }, { query }) => {
    // The reference accepts queries of any length, and a strict node does the same.
    if (!options.strict) checkQueryLength(query)
    connection.unsubscribe(query)
    return {}
  },
})

export const unsubscribeAll = defineRoute({
  name: 'unsubscribe_all',
  summary: 'Ends all subscriptions of this connection.',
  category: 'WebSocket',
  params: {},
  result: emptyResult,
  websocketOnly: true,
  needs: ['events'],
  handler: ({ connection }) => {
    connection.unsubscribeAll()
    return {}
  },
})
