type Node = { readonly [key: string]: unknown }

const QUERY = "tm.event='NewBlockEvents'"

const EVENT: Node = {
  type: 'object',
  required: ['id', 'data', 'events'],
  properties: {
    id: { type: 'string', description: 'Its height, and its number in the block from 0.' },
    data: { type: 'object', description: 'As in the messages of a subscription.' },
    events: { type: 'object', description: 'Lists of values by `type.attribute`.' },
  },
}

const RESULT: Node = {
  type: 'object',
  required: ['query', 'after', 'events'],
  properties: {
    query: { type: 'string' },
    after: { type: 'string', description: 'Where the next call goes on.' },
    events: { type: 'array', items: EVENT },
  },
}

const data = {
  type: 'tendermint/event/NewBlockEvents',
  value: { height: '12', events: [], num_txs: '0' },
}
const events = { 'tm.event': ['NewBlockEvents'] }

function parameter(name: string, example: string, description: string): Node {
  return { name, in: 'query', required: name === 'query', description, schema: { type: 'string' }, example }
}

function failure(description: string, why: string): Node {
  return {
    description,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        example: { jsonrpc: '2.0', id: -1, error: { code: -32000, message: 'Server error', data: why } },
      },
    },
  }
}

/** What happened after a place, which is no operation of the reference. */
export const EVENTS_PATH: Node = {
  get: {
    operationId: 'events',
    summary: 'What happened after a height or an event, and what happens.',
    tags: ['Info'],
    description:
      'A long poll as JSON, a stream of server-sent events with `Accept: text/event-stream`. From the stores first, then as it ' +
      'happens, without a gap and each event once.',
    parameters: [
      parameter('query', QUERY, 'As of `subscribe`. Events of the rounds cannot be asked for.'),
      parameter(
        'after',
        '11',
        'The id of an event, or a height; from now on if absent. Another chain, or a height that is not reached, is an error. `Last-Event-ID` goes before it.',
      ),
      parameter('wait', '5000', 'Milliseconds that a poll may wait for an event; at most 8000.'),
      parameter('limit', '100', 'Events that a poll may give; at most 1000.'),
      { $ref: '#/components/parameters/profile' },
    ],
    responses: {
      200: {
        description: 'The events.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['jsonrpc', 'id', 'result'],
              properties: {
                jsonrpc: { type: 'string', const: '2.0' },
                id: { type: ['integer', 'string'] },
                result: RESULT,
              },
            },
            example: {
              jsonrpc: '2.0',
              id: -1,
              result: { query: QUERY, after: '12@my-chain', events: [{ id: '12-2@my-chain', data, events }] },
            },
          },
          'text/event-stream': {
            schema: { type: 'string' },
            example: `id: 12-2@my-chain\ndata: ${JSON.stringify({ query: QUERY, data, events })}\n\n`,
          },
        },
      },
      400: failure(
        'The call cannot be answered as it is.',
        'EVENTS_NOT_RESUMABLE: Vote events fit the query; events of the rounds are not stored and cannot be resumed',
      ),
      410: failure(
        'The events are not stored any more.',
        'EVENTS_PRUNED: the events of height 12 are not stored, the lowest height is 100',
      ),
      503: failure('As many subscribe as may.', 'max_subscription_clients 100 reached'),
    },
  },
}
