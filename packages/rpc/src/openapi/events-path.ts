import { ref } from '../call/json-schema.ts'
import { bothMediaTypes } from './media-types.ts'

type Node = { readonly [key: string]: unknown }

const QUERY = "tm.event='NewBlockEvents'"

const eventWith = (data: Node, required: readonly string[]): Node => ({
  type: 'object',
  required,
  properties: {
    id: {
      type: 'string',
      description: 'The id of the event: its height, its index in the block (the first is 0), and the chain id.',
    },
    data,
    events: {
      type: 'object',
      description:
        'The attributes of the event. The name of each member is `type.attribute`, and its value is the list of the values.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
})

const resultWith = (event: Node): Node => ({
  type: 'object',
  required: ['query', 'after', 'events'],
  properties: {
    query: { type: 'string' },
    after: { type: 'string', description: 'The value of `after` for the next call.' },
    events: { type: 'array', items: event },
  },
})

const data = {
  type: 'tendermint/event/NewBlockEvents',
  value: { height: '12', events: [], num_txs: '0' },
}
const events = { 'tm.event': ['NewBlockEvents'] }

const TEXT = { type: 'string' }

interface ParameterForm {
  readonly example: string | number
  /** The schema of the parameter. Default: a text. */
  readonly schema?: Node
}

function parameter(name: string, description: string, { example, schema = TEXT }: ParameterForm): Node {
  return { name, in: 'query', required: name === 'query', description, schema, example }
}

function failure(standard: string, description: string, why: string): Node {
  return {
    description,
    content: bothMediaTypes(
      standard,
      {
        schema: ref('Failure'),
        example: { jsonrpc: '2.0', id: -1, error: { code: -32000, message: 'Server error', data: why } },
      },
      {
        schema: ref('FailureText'),
        example: { jsonrpc: '2.0', id: '', error: `Server error: ${why}` },
      },
    ),
  }
}

const answerWith = (result: Node): Node => ({
  type: 'object',
  required: ['jsonrpc', 'id', 'result'],
  properties: { jsonrpc: { type: 'string', const: '2.0' }, id: { type: ['integer', 'string'] }, result },
})

const PLAIN: Node = {
  schema: answerWith(resultWith(eventWith(ref('EventData'), ['id', 'data', 'events']))),
  example: {
    jsonrpc: '2.0',
    id: -1,
    result: { query: QUERY, after: '12:5F0C9A1B@my-chain', events: [{ id: '12-2:5F0C9A1B@my-chain', data, events }] },
  },
}

const PROFILED: Node = {
  schema: answerWith(resultWith(eventWith(ref('EventDataText'), ['id', 'data']))),
  example: {
    jsonrpc: '2.0',
    id: '',
    result: { query: QUERY, after: '12:5F0C9A1B@my-chain', events: [{ id: '12-2:5F0C9A1B@my-chain', data }] },
  },
}

/**
 * Describes the path `/events`, which the reference does not have. `standard` is the profile of the node's answers.
 */
export const eventsPath = (standard: string): Node => ({
  get: {
    operationId: 'events',
    summary: 'Returns the events after a height or an event, then new events.',
    tags: ['Info'],
    description:
      'By default a long poll: the answer is JSON. With `Accept: text/event-stream`, the answer is a stream of server-sent events. ' +
      'Stored events come first, then new events as they happen. No event is missing, and each event is sent once.',
    parameters: [
      parameter('query', 'The same as for `subscribe`. Events of consensus rounds are not available.', {
        example: QUERY,
      }),
      parameter(
        'after',
        'The id of an event, or a height. If absent, only new events are returned. Another chain, a chain that was reset, or a height that is not reached, is an error. A stream uses the header `Last-Event-ID` instead if both are given; a poll ignores the header.',
        { example: '11' },
      ),
      parameter('wait', 'Milliseconds that a poll waits for an event; at most 8000.', {
        example: 5000,
        schema: { type: 'integer', default: 5000 },
      }),
      parameter('limit', 'Largest number of events that a poll returns; at most 1000.', {
        example: 100,
        schema: { type: 'integer', default: 100 },
      }),
      { $ref: '#/components/parameters/profile' },
    ],
    responses: {
      200: {
        description: 'The events.',
        content: {
          ...bothMediaTypes(standard, PLAIN, PROFILED),
          'text/event-stream': {
            schema: { type: 'string' },
            example: `id: 12-2:5F0C9A1B@my-chain\ndata: ${JSON.stringify({ query: QUERY, data, events })}\n\n`,
          },
        },
      },
      400: failure(
        standard,
        'The arguments are invalid.',
        'EVENTS_NOT_RESUMABLE: Vote events match the query; events of consensus rounds are not stored and cannot be resumed',
      ),
      410: failure(
        standard,
        'The events are not stored any more.',
        'EVENTS_PRUNED: the events of height 12 are not stored, the lowest height is 100',
      ),
      503: failure(standard, 'The limit of subscribers is reached.', 'max_subscription_clients 100 reached'),
    },
  },
})
