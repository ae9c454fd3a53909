import type { Door, Shape } from '../door.ts'
import { listOf, runOf } from '../shapes.ts'
import { LAST_REQUEST } from './requests.ts'
import { serve } from './serve.ts'

const MIB = 1024 * 1024

const server: Door = {
  name: 'HTTP server',
  where: 'rpc/src/transports/handler.ts',
  limit: MIB,
  costs: { nsPerByte: 3000, heldPerByte: 24 },
  open: () => serve('LAST'),
  shapes: {
    requests: runOf(
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      '',
      'GET /LAST HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ),
    'unknown paths': runOf(
      'GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
      '',
      'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ),
    'blanks in a header': runOf(
      ' ',
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a',
      'b\r\nConnection: close\r\n\r\n',
    ),
    headers: listOf((i) => `h${i}: 1\r\n`, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n', '\r\n'),
  },
}

/**
 * Returns a function that makes inputs. Each input is a sequence of searches, which one connection sends one after the
 * other.
 */
const searches = (target: (i: number) => string): Shape =>
  listOf((i) => `GET ${target(i)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, '', LAST_REQUEST)
/** This number makes the queries of each input different. Otherwise, the node would take the results from its cache. */
let nextQuery = 0
const LONG_QUERY = 'a.b=1%20AND%20'.repeat(30)

const search: Door = {
  name: 'searches',
  where: 'engine/src/indexer/search/search.ts',
  limit: 256 * 1024,
  // The maximum costs are high, because a short request can have a long answer. The inputs with the name `60 results`
  // take the most time and memory.
  costs: { nsPerByte: 20_000, heldPerByte: 600 },
  open: () => serve('LAST'),
  shapes: {
    transactions: searches((i) => `/tx_search?query="a.b=${i}"`),
    blocks: searches((i) => `/block_search?query="a.b=${i}"`),
    'transactions, with long queries': searches((i) => `/tx_search?query="${LONG_QUERY}a.b=${i}"`),
    'blocks, with long queries': searches((i) => `/block_search?query="${LONG_QUERY}a.b=${i}"`),
    '60 results': searches(() => `/tx_search?query="a.b=1%20AND%20tx.height<${100 + nextQuery++}"&per_page=100`),
    'broken queries': searches(() => `/tx_search?query="${LONG_QUERY}"`),
  },
}

/**
 * Returns a function that makes inputs. Each input is a sequence of requests for events, which one connection sends one
 * after the other. No request waits for new events (`wait=0`).
 */
const eventRequests = (parameters: string, headers = ''): Shape =>
  runOf(`GET /events?wait=0&${parameters} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`, '', LAST_REQUEST)
const eventRequest = (unit: string, before: string, after = ''): Shape =>
  runOf(unit, `GET /events?wait=0&${before}`, `${after} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${LAST_REQUEST}`)

const eventsByHttp: Door = {
  name: 'events by HTTP',
  where: 'rpc/src/sse/events-route.ts',
  limit: MIB,
  costs: { nsPerByte: 3000, heldPerByte: 24 },
  open: () => serve('LAST'),
  shapes: {
    'a long event id': eventRequest('9', "query=tm.event='Tx'&after="),
    'a long chain id in an event id': eventRequest('a', "query=tm.event='Tx'&after=1@"),
    'a long query': eventRequest('a.b=1%20AND%20', 'query=', 'a.b=1'),
    parameters: eventRequest('a=1&', ''),
    'broken event ids': eventRequests("query=tm.event='Tx'&after=x"),
    'heights of the future': eventRequests("query=tm.event='Tx'&after=999999"),
    'broken queries': eventRequests('query=a'),
    'queries of 500 bytes': eventRequests(`query=${'a.b=1%20AND%20'.repeat(40)}a.b=1`),
    'limits that are not numbers': eventRequests("query=tm.event='Tx'&limit=x"),
    'streams of broken queries': eventRequests('query=a', 'Accept: text/event-stream\r\n'),
    'all stored events, one after the other': eventRequests("query=tm.event='Tx'&after=0&limit=1"),
  },
}

/** The doors that measure a complete RPC server with its operations. */
export const SERVER_DOORS: readonly Door[] = [server, search, eventsByHttp]
