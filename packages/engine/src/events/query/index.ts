export { compareDecimals, type Decimal, parseDecimal, truncateDecimal } from './decimal.ts'
export { QUERY_ERRORS, QueryError } from './errors.ts'
export { compileQuery, eventTypeOf, type FlatEvents, type Matcher, matchesQuery } from './match.ts'
export { parseQuery, queryForEvent } from './parser.ts'
export {
  type Argument,
  type Condition,
  isRangeOperator,
  type Operator,
  type Query,
  type RangeOperator,
} from './syntax.ts'
