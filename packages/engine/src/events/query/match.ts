import { type Parsed, readDate, readTime } from './date-time.ts'
import { compareDecimals, leadingDecimal, parseDecimal } from './decimal.ts'
import type { Argument, Condition, Operator, Query } from './syntax.ts'

/**
 * The attributes of an event. The key is `type.attribute`, and the value is the list of all values of this attribute.
 */
export type FlatEvents = Readonly<Record<string, readonly string[]>>

/** A compiled query: returns true if the attributes of an event match it. */
export type Matcher = (events: FlatEvents) => boolean

type Test = (value: string) => boolean

/**
 * For each operator, a function that returns true if the condition holds. The function receives the result of comparing
 * the value with the condition's argument: a negative number, 0, or a positive number.
 */
const ORDERS: Readonly<Record<Exclude<Operator, 'contains' | 'exists'>, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function timeTest(read: (text: string) => Parsed, text: string, holds: (order: number) => boolean): Test {
  const wanted = read(text)
  if ('problem' in wanted) return () => false
  return (value) => {
    const parsed = read(value)
    if ('problem' in parsed) return false
    return holds(parsed.time < wanted.time ? -1 : parsed.time > wanted.time ? 1 : 0)
  }
}

function numberTest(text: string, holds: (order: number) => boolean): Test {
  const wanted = parseDecimal(text)
  if (wanted === undefined) return () => false
  return (value) => {
    const number = leadingDecimal(value)
    return number !== undefined && holds(compareDecimals(number, wanted))
  }
}

/** Returns a function that tests whether a value meets the condition. */
export function testOf({ operator, argument }: Pick<Condition, 'operator' | 'argument'>): Test {
  if (operator === 'exists') return () => true
  const { type, text } = argument as Argument
  if (operator === 'contains') return (value) => value.includes(text)
  if (type === 'string') return (value) => value === text
  const holds = ORDERS[operator]
  if (type === 'number') return numberTest(text, holds)
  return timeTest(type === 'time' ? readTime : readDate, text, holds)
}

/**
 * Returns true if the event has the type that the parameter `type` contains. This is so if the key of one of the
 * event's attributes consists of this type, a dot and a name without a dot. A condition may have only a type as its
 * tag, such as `app EXISTS`. As in the reference, this condition is tested with an empty text as the value if the event
 * has the type.
 */
function hasType(events: FlatEvents, type: string): boolean {
  for (const key in events)
    if (key.length > type.length && key.lastIndexOf('.') === type.length && key.startsWith(type)) return true
  return false
}

function compileCondition(condition: Condition): Matcher {
  const { tag } = condition
  const test = testOf(condition)
  const bare = test('')
  return (events) => {
    const values = Object.hasOwn(events, tag) ? events[tag] : undefined
    if (values !== undefined) for (const value of values) if (test(value)) return true
    return bare && hasType(events, tag)
  }
}

/** Converts a query to a function, which returns true if all conditions of the query hold for an event. */
export function compileQuery({ conditions }: Query): Matcher {
  const matchers = conditions.map(compileCondition)
  return (events) => {
    for (const matches of matchers) if (!matches(events)) return false
    return true
  }
}

/** Returns true if the query matches the event. To test more than one event, use {@link compileQuery}. */
export function matchesQuery(query: Query, events: FlatEvents): boolean {
  return compileQuery(query)(events)
}

/** If the query tests only the type of the event, as `tm.event='Tx'` does, returns this type; otherwise `undefined`. */
export function eventTypeOf({ conditions }: Query): string | undefined {
  const [condition] = conditions
  if (conditions.length !== 1 || condition?.tag !== 'tm.event' || condition.operator !== '=') return undefined
  return condition.argument?.type === 'string' ? condition.argument.text : undefined
}
