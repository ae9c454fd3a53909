/** `@org/engine/query`: the language of queries for events, blocks and transactions. */
export {
  type Condition,
  compileQuery,
  eventTypeOf,
  type FlatEvents,
  type Matcher,
  matchesQuery,
  parseQuery,
  QUERY_ERRORS,
  type Query,
  QueryError,
  queryForEvent,
} from '../events/query/index.ts'
