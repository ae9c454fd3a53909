import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDecimals, type Decimal, parseDecimal, truncateDecimal } from './decimal.ts'
import { type FlatEvents, matchesQuery, parseQuery, QUERY_ERRORS, QueryError } from './index.ts'
import { eventTypeOf } from './match.ts'

const matches = (query: string, events: FlatEvents): boolean => matchesQuery(parseQuery(query), events)

describe('parseQuery', () => {
  it('default: returns the conditions, and the query in its normal form', () => {
    const query = parseQuery(
      "tm.event='Tx'  AND a.b>=5 AND a.c CONTAINS 'x' AND d EXISTS AND e<TIME 2020-01-01T00:00:00Z",
    )
    expect(query.text).toBe(
      "tm.event = 'Tx' AND a.b >= 5 AND a.c CONTAINS 'x' AND d EXISTS AND e < TIME 2020-01-01T00:00:00Z",
    )
    expect(query.conditions[1]).toEqual({ tag: 'a.b', operator: '>=', argument: { type: 'number', text: '5' } })
    expect(parseQuery(query.text)).toEqual(query)
  })

  it('behavior: an unfinished string after a whole condition ends the query', () => {
    expect(parseQuery("tx.height=1'").text).toBe('tx.height = 1')
  })

  it.each([
    ['', 'offset 0: EOF'],
    ['tx.height', 'offset 9: EOF'],
    ['=1', 'offset 0: got = operator, wanted tag'],
    ['a=1 b', 'offset 4: got tag, want 6'],
    ['é!', 'offset 2: invalid input ! at offset 3'],
    ['a>"x"', 'offset 2: invalid input " at offset 3'],
    [' \udcff', 'offset 1: invalid input \ufffd at offset 2'],
    ["a='\udcff'!", 'offset 5: got invalid token, want 6'],
    [
      'a=TIME 2020-01-01T00:00:00',
      'offset 2: invalid TIME value: parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    [
      'a=TIME 2020-01-01T00:00:00+25:61',
      'offset 2: invalid TIME value: parsing time "2020-01-01T00:00:00+25:61": time zone offset minute out of range',
    ],
    ['a=DATE 2020-02-31', 'offset 2: invalid DATE value: parsing time "2020-02-31": day out of range'],
    ['a=DATE 2020-01-011', 'offset 2: invalid DATE value: parsing time "2020-01-011": extra text: "1"'],
    ['a=DATE 1899-01-01', 'offset 2: datestamp year 1899 out of range'],
    ['a=TIME 3000-01-01T00:00:00Z', 'offset 2: timestamp year 3000 out of range'],
  ])('error: %s', (query, message) => {
    expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: QUERY_ERRORS.syntax, message }))
  })

  it('behavior: any text parses, or fails with a coded error', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'a.b',
        '=',
        '<',
        '<=',
        '>=',
        ' AND ',
        ' CONTAINS ',
        ' EXISTS',
        "'x'",
        '5',
        '1.5',
        'TIME ',
        'DATE ',
        ' ',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          const query = parseQuery(pieces.join(''))
          expect(parseQuery(query.text)).toEqual(query)
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('matchesQuery', () => {
  const events: FlatEvents = {
    'tm.event': ['Tx'],
    'tx.height': ['53'],
    'app.key': ['satoshi', 'name'],
    'app.amount': ['8atom', '10.50'],
    'app.at': ['2024-05-03T14:45:00.5+02:00'],
    'app.on': ['2024-05-03'],
    'a.b.c': ['x'],
  }

  it.each([
    ["tm.event='Tx'", true],
    ["tm.event='NewBlock'", false],
    ["app.key='satoshi' AND app.key='name'", true],
    ["app.key='sato'", false],
    ["app.key CONTAINS 'sato'", true],
    ["app.key CONTAINS 'x'", false],
    ['app.key EXISTS', true],
    ['app.none EXISTS', false],
    ['app.amount=8', true],
    ['app.amount=10.5', true],
    ['app.amount>10.5', false],
    ['app.amount>=10.5', true],
    ['app.amount<8', false],
    ['app.amount<=8.0', true],
    ['app.key>0', false],
    ['tx.height=53.0', true],
    ['app.at=TIME 2024-05-03T12:45:00Z', false],
    ['app.at>TIME 2024-05-03T12:45:00Z', true],
    ['app.at<TIME 2024-05-03T12:45:01Z', true],
    ['app.on=DATE 2024-05-03', true],
    ['app.on<DATE 2024-05-03', false],
    ['app.on>=DATE 2024-05-02', true],
    ['app.at>DATE 2024-05-02', false],
    // If a condition names an event type without an attribute, the value that it tests is an empty text.
    ['app EXISTS', true],
    ["app=''", true],
    ["app='x'", false],
    ['a.b EXISTS', true],
    ['a EXISTS', false],
    ['toString EXISTS', false],
  ])('%s: %s', (query, expected) => {
    expect(matches(query, events)).toBe(expected)
  })

  it('behavior: a query without events matches nothing', () => {
    expect(matches('app EXISTS', {})).toBe(false)
  })

  it('default: returns the event type of a query that has only that condition', () => {
    expect(eventTypeOf(parseQuery("tm.event = 'Tx'"))).toBe('Tx')
    expect(eventTypeOf(parseQuery("tm.event='Tx' AND a.b=1"))).toBeUndefined()
    expect(eventTypeOf(parseQuery('tm.event=5'))).toBeUndefined()
    expect(eventTypeOf(parseQuery("tm.event CONTAINS 'T'"))).toBeUndefined()
  })
})

describe('decimals', () => {
  const compare = (a: string, b: string): number | undefined => {
    const [x, y] = [parseDecimal(a), parseDecimal(b)]
    return x === undefined || y === undefined ? undefined : Math.sign(compareDecimals(x, y))
  }

  it.each([
    ['1', '1.0', 0],
    ['0.1', '0.10', 0],
    ['0.1', '0.2', -1],
    ['1e3', '1000', 0],
    ['1p3', '8', 0],
    ['-1.5', '-1', -1],
    ['9007199254740993', '9007199254740992', 1],
    ['123456789012345678901234567890', '123456789012345678901234567891', -1],
    ['inf', '1e2000000000', 0],
    ['-Inf', '-5', -1],
    ['1e-2000000000', '0', 1],
    ['.5', '5.', -1],
    ['1_0', '1', undefined],
    ['0x10', '1', undefined],
    ['1e', '1', undefined],
    ['', '1', undefined],
  ])('compare %s with %s: %s', (a, b, expected) => {
    expect(compare(a, b)).toBe(expected)
  })

  it('behavior: integers compare exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
        expect(compare(String(a), String(b))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  it('behavior: decimals compare as fractions do', () => {
    const decimal = fc
      .tuple(fc.nat(999_999), fc.nat(999))
      .map(([w, f]) => [w * 1000 + f, `${w}.${String(f).padStart(3, '0')}`] as const)
    fc.assert(
      fc.property(decimal, decimal, ([x, a], [y, b]) => {
        expect(compare(a, b)).toBe(Math.sign(x - y))
      }),
    )
  })

  it('default: truncateDecimal returns the integer part', () => {
    expect(truncateDecimal(parseDecimal('53.9') as number)).toBe(53)
    expect(truncateDecimal(parseDecimal('9'.repeat(30)) as number)).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('numbers of any length', () => {
  const compare = (a: string, b: string): number => Math.sign(compareDecimals(number(a), number(b)))
  const number = (text: string): Decimal => {
    const value = parseDecimal(text)
    if (value === undefined) throw new Error(`no number: ${text}`)
    return value
  }

  it.each([
    ['9'.repeat(1_000_000), '9'.repeat(1024)],
    ['1', `-${'9'.repeat(1_000_000)}`],
    ['1p2000000000', '1e300'],
    ['1', '1p-2000000000'],
    ['1', '1e-2000000000'],
    [`0.${'0'.repeat(5000)}1`, '0'],
    [`0.5${'0'.repeat(1_000_000)}1`, '0.5'],
  ])('behavior: a long number or a large power is compared by its size', (larger, smaller) => {
    // The two numbers of the last row differ only in the millionth digit. With 125 bits they are equal, as in the
    // reference.
    expect(compare(larger, smaller)).toBe(larger.startsWith('0.5') ? 0 : 1)
    expect(compare(smaller, larger)).toBe(larger.startsWith('0.5') ? 0 : -1)
  })

  it('behavior: leading zeros change nothing', () => {
    expect(compare(`${'0'.repeat(1_000_000)}5`, '5')).toBe(0)
    expect(compare(`${'0'.repeat(1_000_000)}5.5`, '5.5')).toBe(0)
    expect(compare(`-${'0'.repeat(100)}`, '0')).toBe(0)
  })

  it('error: refuses a query with more conditions than allowed', () => {
    const query = (count: number): string => Array.from({ length: count }, () => 'a=1').join(' AND ')
    expect(parseQuery(query(1024)).conditions.length).toBe(1024)
    expect(() => parseQuery(query(1025))).toThrow('more than 1024 conditions')
  })
})
