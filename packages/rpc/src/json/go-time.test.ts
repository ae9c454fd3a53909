import { expect, test } from 'vitest'
import { binaryOfText } from './binary.ts'
import { goTime } from './go-time.ts'

/** Each text with the result of Go 1.26: the time, or the message of the error. */
const TIMES = [
  ['2026-11-21T00:23:47Z', '2026-11-21T00:23:47Z'],
  ['2026-11-21T00:23:47.5Z', '2026-11-21T00:23:47.5Z'],
  ['2026-11-21T00:23:47,5Z', '2026-11-21T00:23:47.5Z'],
  ['2026-11-21T00:23:47.1234567891Z', '2026-11-21T00:23:47.123456789Z'],
  ['2026-11-21T5:23:47Z', '2026-11-21T05:23:47Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ['2024-02-29T23:59:59.000000001Z', '2024-02-29T23:59:59.000000001Z'],
  ['Z', 'parsing time "Z" as "2006-01-02T15:04:05Z07:00": cannot parse "Z" as "2006"'],
  ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  ['2026Z', 'parsing time "2026Z" as "2006-01-02T15:04:05Z07:00": cannot parse "Z" as "-"'],
  ['202xZ', 'parsing time "202xZ" as "2006-01-02T15:04:05Z07:00": cannot parse "202xZ" as "2006"'],
  [
    'x026-11-21T00:23:47Z',
    'parsing time "x026-11-21T00:23:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "x026-11-21T00:23:47Z" as "2006"',
  ],
  [
    '2026-1-21T00:23:47Z',
    'parsing time "2026-1-21T00:23:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "1-21T00:23:47Z" as "01"',
  ],
  ['2026-13-21T00:23:47Z', 'parsing time "2026-13-21T00:23:47Z": month out of range'],
  ['2026-00-21T00:23:47Z', 'parsing time "2026-00-21T00:23:47Z": month out of range'],
  ['2026-11-00T00:23:47Z', 'parsing time "2026-11-00T00:23:47Z": day out of range'],
  ['2026-11-31T00:23:47Z', 'parsing time "2026-11-31T00:23:47Z": day out of range'],
  ['2023-02-29T00:23:47Z', 'parsing time "2023-02-29T00:23:47Z": day out of range'],
  [
    '2026-11-2T00:23:47Z',
    'parsing time "2026-11-2T00:23:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "2T00:23:47Z" as "02"',
  ],
  [
    '2026-11-21t00:23:47Z',
    'parsing time "2026-11-21t00:23:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "t00:23:47Z" as "T"',
  ],
  ['2026-11-21TZ', 'parsing time "2026-11-21TZ" as "2006-01-02T15:04:05Z07:00": cannot parse "Z" as "15"'],
  ['2026-11-21T24:23:47Z', 'parsing time "2026-11-21T24:23:47Z": hour out of range'],
  ['2026-11-21T00:60:47Z', 'parsing time "2026-11-21T00:60:47Z": minute out of range'],
  [
    '2026-11-21T00:2:47Z',
    'parsing time "2026-11-21T00:2:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "2:47Z" as "04"',
  ],
  ['2026-11-21T00:23:60Z', 'parsing time "2026-11-21T00:23:60Z": second out of range'],
  [
    '2026-11-21T00:23:7Z',
    'parsing time "2026-11-21T00:23:7Z" as "2006-01-02T15:04:05Z07:00": cannot parse "7Z" as "05"',
  ],
  ['2026-11-21T00:23Z', 'parsing time "2026-11-21T00:23Z" as "2006-01-02T15:04:05Z07:00": cannot parse "Z" as ":"'],
  [
    '2026-11-21T00:23:47.Z',
    'parsing time "2026-11-21T00:23:47.Z" as "2006-01-02T15:04:05Z07:00": cannot parse ".Z" as "Z07:00"',
  ],
  ['2026-11-21T00:23:47ZZ', 'parsing time "2026-11-21T00:23:47ZZ": extra text: "Z"'],
  [
    '2026-11-21T00:23:47z Z',
    'parsing time "2026-11-21T00:23:47z Z" as "2006-01-02T15:04:05Z07:00": cannot parse "z Z" as "Z07:00"',
  ],
  ['2026-11-21T00:23:47+01:00Z', 'parsing time "2026-11-21T00:23:47+01:00Z": extra text: "Z"'],
  ['2026-11-21T00:23:47+25:00Z', 'parsing time "2026-11-21T00:23:47+25:00Z": time zone offset hour out of range'],
  ['2026-11-21T00:23:47+24:61Z', 'parsing time "2026-11-21T00:23:47+24:61Z": time zone offset minute out of range'],
  [
    '2026-11-21T00:23:47*01:00Z',
    'parsing time "2026-11-21T00:23:47*01:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "*01:00Z" as "Z07:00"',
  ],
  ['2026-11-21T00:23:47*25:00Z', 'parsing time "2026-11-21T00:23:47*25:00Z": time zone offset hour out of range'],
  [
    '2026-11-21T00:23:47+01:0Z',
    'parsing time "2026-11-21T00:23:47+01:0Z" as "2006-01-02T15:04:05Z07:00": cannot parse "+01:0Z" as "Z07:00"',
  ],
  ['2026-11-21T00:23:47+25:xxZ', 'parsing time "2026-11-21T00:23:47+25:xxZ": time zone offset hour out of range'],
  [
    '2026-11-21T00:23:47+xx:99Z',
    'parsing time "2026-11-21T00:23:47+xx:99Z" as "2006-01-02T15:04:05Z07:00": cannot parse "+xx:99Z" as "Z07:00"',
  ],
  [
    '2026-11-21T00:23:47+0100Z',
    'parsing time "2026-11-21T00:23:47+0100Z" as "2006-01-02T15:04:05Z07:00": cannot parse "+0100Z" as "Z07:00"',
  ],
  [
    '2026-11-21T00:23:47\\u005aZ',
    'parsing time "2026-11-21T00:23:47\\\\u005aZ" as "2006-01-02T15:04:05Z07:00": cannot parse "\\\\u005aZ" as "Z07:00"',
  ],
  [
    '日本Z',
    'parsing time "\\xe6\\x97\\xa5\\xe6\\x9c\\xacZ" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xe6\\x97\\xa5\\xe6\\x9c\\xacZ" as "2006"',
  ],
  [
    '2026-11-21T00:23:47é"\\Z',
    'parsing time "2026-11-21T00:23:47\\xc3\\xa9\\"\\\\Z" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9\\"\\\\Z" as "Z07:00"',
  ],
  [
    '99999-11-21T00:23:47Z',
    'parsing time "99999-11-21T00:23:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "9-11-21T00:23:47Z" as "-"',
  ],
  [
    '-026-11-21T00:23:47Z',
    'parsing time "-026-11-21T00:23:47Z" as "2006-01-02T15:04:05Z07:00": cannot parse "-026-11-21T00:23:47Z" as "2006"',
  ],
] as const

test.each(TIMES)('default: %j', (text, wanted) => {
  const read = (): string => {
    try {
      return goTime(binaryOfText(text))
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(read()).toBe(wanted)
})
