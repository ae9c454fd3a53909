import { bytesToUtf8 } from '@org/types/bytes'
import { compileQuery, parseQuery as parseEventQuery } from '../../../../../packages/engine/src/events/query/index.ts'
import type { Door } from '../door.ts'
import { runOf } from '../shapes.ts'

const MIB = 1024 * 1024

const queries: Door = {
  name: 'query language',
  where: 'engine/src/events/query/parser.ts',
  limit: 1_000_000,
  costs: { nsPerByte: 500, heldPerByte: 80 },
  open: () => ({
    read: (input) => {
      const query = parseEventQuery(bytesToUtf8(input))
      const matches = compileQuery(query)
      return [matches({ 'a.b': ['1', 'x'], 'tm.event': ['Tx'] }), matches, query]
    },
  }),
  shapes: {
    conditions: runOf('a.b=1 AND ', '', 'a.b=1'),
    digits: runOf('9', 'a.b>'),
    'digits after the point': runOf('9', 'a.b=1.'),
    'a long text': runOf('a', "a.b='", "'"),
    'a long name': runOf('a.', '', '=1'),
    blanks: runOf(' ', 'a.b', '=1'),
    'an exponent': (size) => runOf('9', 'a.b=1e')(Math.min(size, 1_000_000)),
    'letters of two bytes': runOf([0xc3, 0xa9], "a.b='", "'"),
    'bad UTF-8': runOf([0xff], "a.b='", "'"),
  },
}

const eventValues: Door = {
  name: 'event value against a query',
  where: 'engine/src/events/query/match.ts',
  limit: MIB,
  costs: { nsPerByte: 200, heldPerByte: 24 },
  open: () => {
    const tests = [
      'a.b > 5',
      'a.b = 1.5',
      "a.b CONTAINS 'x'",
      'a.b > TIME 2020-01-01T00:00:00Z',
      'a.b < DATE 2020-01-01',
    ].map((text) => compileQuery(parseEventQuery(text)))
    return { read: (input) => tests.map((matches) => matches({ 'a.b': [bytesToUtf8(input)] })) }
  },
  shapes: {
    digits: runOf('9'),
    'digits after the point': runOf('9', '1.'),
    zeros: runOf('0', '', '1'),
    'an exponent': runOf('9', '1e'),
    text: runOf('a'),
    'a time': runOf('9', '2020-01-01T00:00:00.', 'Z'),
  },
}

/**
 * The doors for the query language: the query itself, and the values of events with which the node compares a query.
 */
export const QUERY_DOORS: readonly Door[] = [queries, eventValues]
