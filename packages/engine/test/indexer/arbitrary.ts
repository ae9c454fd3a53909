import type { Event } from '@org/types/abci'
import fc from 'fast-check'
import type { TestTx } from './index-block.ts'

// Values and queries for property tests. There are only few names, so that queries often match. The values are of all
// kinds that a search must distinguish, such as numbers in several forms, dates and texts with slashes.

const NUMBERS = [
  '5',
  '05',
  '5.0',
  '-5',
  '+5',
  '5atom',
  '1e3',
  '1000',
  '7',
  '10.50',
  '0.1',
  '99999999999999999999',
  'inf',
  '',
]
const TEXTS = [
  'x',
  'x/y',
  'x/3',
  'x/3/4',
  ' x ',
  'sato',
  'satoshi',
  '2024-05-03',
  '2024-05-03T14:45:00Z',
  'é☃',
  'x\u0000y',
  '/',
  '//x',
]
const VALUES = [...NUMBERS, ...TEXTS]
const TYPES = ['a', 'b', 'a.b', '']
const KEYS = ['n', 's', 'b', '']

const value = fc.constantFrom(...VALUES)

const event: fc.Arbitrary<Event> = fc.record({
  type: fc.constantFrom(...TYPES),
  attributes: fc.array(
    fc.record({
      key: fc.constantFrom(...KEYS),
      value,
      index: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    }),
    { maxLength: 4 },
  ),
})

const events = fc.array(event, { maxLength: 3 })

/** Transactions with one of only 41 different texts, so that some transactions are committed more than once. */
const tx: fc.Arbitrary<TestTx> = fc.record({ tx: fc.nat(40).map((n) => `tx${n}`), events })

export interface TestBlock {
  readonly txs: readonly TestTx[]
  readonly events: readonly Event[]
}

export const testBlock: fc.Arbitrary<TestBlock> = fc.record({ txs: fc.array(tx, { maxLength: 3 }), events })

const number = fc.constantFrom(
  '5',
  '05',
  '5.0',
  '7',
  '0',
  '1',
  '3',
  '10',
  '10.5',
  '0.1',
  '1.5',
  '1000',
  '99999999999999999999',
)
const moment = fc.constantFrom('DATE 2024-05-03', 'TIME 2024-05-03T14:45:00Z', 'DATE 2024-01-01')
const quoted = fc.oneof(value, fc.constantFrom('3', '53', 'abc', 'y')).map((text) => `'${text}'`)

function condition(tag: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const range = fc
    .tuple(
      tag,
      fc.constantFrom('<', '<=', '>', '>='),
      fc.oneof({ weight: 6, arbitrary: number }, { weight: 1, arbitrary: moment }),
    )
    .map(([name, operator, argument]) => `${name}${operator}${argument}`)
  const equal = fc.tuple(tag, fc.oneof(number, quoted, quoted, moment)).map(([name, argument]) => `${name}=${argument}`)
  const contains = fc.tuple(tag, quoted).map(([name, argument]) => `${name} CONTAINS ${argument}`)
  const exists = tag.map((name) => `${name} EXISTS`)
  return fc.oneof(range, equal, contains, exists)
}

const attribute = fc.constantFrom('a.n', 'a.s', 'a.b', 'b.n', 'b.s', 'a.b.s', 'c.none', 'a')

/** Queries of one to four conditions. Some of the conditions are on the height. */
export function testQuery(heightTag: string, otherTag: string): fc.Arbitrary<string> {
  const part = fc.oneof(
    { weight: 6, arbitrary: condition(attribute) },
    { weight: 3, arbitrary: condition(fc.constant(heightTag)) },
    { weight: 1, arbitrary: condition(fc.constant(otherTag)) },
  )
  return fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' AND '))
}
