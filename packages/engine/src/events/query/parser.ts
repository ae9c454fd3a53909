import { QueryError } from './errors.ts'
import { Scanner } from './scanner.ts'
import {
  type Argument,
  type Condition,
  formatConditions,
  type Operator,
  type Query,
  TOKEN_NAMES,
  type Token,
} from './syntax.ts'

/**
 * The maximum number of conditions of a query. The RPC accepts queries of at most 512 bytes, which cannot have this
 * many conditions.
 */
const MAX_CONDITIONS = 1024

const OPERATORS: readonly Token[] = ['<=', '>=', '<', '>', '=', 'contains', 'exists']
const MOMENTS_AND_NUMBERS: readonly Token[] = ['number', 'time', 'date']

const ARGUMENTS: Readonly<Record<Exclude<Operator, 'exists'>, readonly Token[]>> = {
  '<': MOMENTS_AND_NUMBERS,
  '<=': MOMENTS_AND_NUMBERS,
  '>': MOMENTS_AND_NUMBERS,
  '>=': MOMENTS_AND_NUMBERS,
  '=': [...MOMENTS_AND_NUMBERS, 'string'],
  contains: ['string'],
}

function namesOf(tokens: readonly Token[]): string {
  const names = tokens.map((token) => TOKEN_NAMES[token])
  const last = names.pop() as string
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`
}

function require(scanner: Scanner, tokens: readonly Token[]): Token {
  scanner.next()
  if (scanner.problem !== undefined) throw scanner.error()
  if (tokens.includes(scanner.token)) return scanner.token
  throw new QueryError(scanner.offset, `got ${TOKEN_NAMES[scanner.token]}, wanted ${namesOf(tokens)}`)
}

function parseCondition(scanner: Scanner): Condition {
  require(scanner, ['tag'])
  const tag = scanner.text
  const operator = require(scanner, OPERATORS) as Operator
  if (operator === 'exists') return { tag, operator, argument: undefined }
  const type = require(scanner, ARGUMENTS[operator]) as Argument['type']
  return { tag, operator, argument: { type, text: scanner.text } }
}

/**
 * Parses a query such as `tm.event='Tx' AND app.amount > 5`. Throws {@link QueryError} with the reference's message. If
 * AND is missing, the message contains `want 6`, because the reference writes its code for the token AND, which is 6.
 * As in the reference, an incomplete string after the last condition is ignored.
 */
export function parseQuery(text: string): Query {
  const scanner = new Scanner(text)
  const conditions = [parseCondition(scanner)]
  for (;;) {
    scanner.next()
    if (scanner.problem === 'EOF') break
    if (scanner.token !== 'and') {
      throw new QueryError(scanner.offset, `got ${TOKEN_NAMES[scanner.token]}, want 6`)
    }
    if (conditions.length === MAX_CONDITIONS)
      throw new QueryError(scanner.offset, `more than ${MAX_CONDITIONS} conditions`)
    conditions.push(parseCondition(scanner))
  }
  return { conditions, text: formatConditions(conditions) }
}

/** Returns the query that matches every event of this type. */
export function queryForEvent(type: string): Query {
  return parseQuery(`tm.event='${type}'`)
}
