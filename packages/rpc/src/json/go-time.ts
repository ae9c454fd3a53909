import { argumentError } from '../errors.ts'
import type { Binary } from './binary.ts'

/** The format of RFC 3339 in Go's notation. The reference's errors quote parts of this text. */
const LAYOUT = '2006-01-02T15:04:05Z07:00'

/**
 * Quotes a text as `quote` of Go's package `time` does: each byte that is not ASCII, and each byte below the space,
 * becomes an escape such as `\xff`.
 */
function quote(text: Binary): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/[^\u0020-\u007f]/g, (byte) => {
    return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `"${escaped}"`
}

/** One of the six numbers in the text of a time: the year, month, day, hour, minute or second. */
interface Part {
  /** The character that must be directly before the number, such as `-` before the month. Empty for the year. */
  readonly before: string
  /**
   * The text of the number in Go's layout of times, such as `2006` for the year or `01` for the month. If the number
   * cannot be read, the error quotes this text.
   */
  readonly shown: string
  readonly digits: RegExp
  /**
   * The name of this number, such as `month`, in the error for a value out of range. If the name is empty, the range is
   * not checked.
   */
  readonly name: string
  readonly min: number
  readonly max: number
}

const TWO = /^\d\d/

const PARTS: readonly Part[] = [
  { before: '', shown: '2006', digits: /^\d{4}/, name: '', min: 0, max: 9999 },
  { before: '-', shown: '01', digits: TWO, name: 'month', min: 1, max: 12 },
  { before: '-', shown: '02', digits: TWO, name: '', min: 0, max: 99 },
  { before: 'T', shown: '15', digits: /^\d\d?/, name: 'hour', min: 0, max: 23 },
  { before: ':', shown: '04', digits: TWO, name: 'minute', min: 0, max: 59 },
  { before: ':', shown: '05', digits: TWO, name: 'second', min: 0, max: 59 },
]

/** Reads a time from its beginning, one part after the other. */
function createTimeReader(value: Binary) {
  let rest = value

  const wrong = (why: string): Error => argumentError(`parsing time ${quote(value)}${why}`)
  const unlike = (shown: string): Error => wrong(` as ${quote(LAYOUT)}: cannot parse ${quote(rest)} as ${quote(shown)}`)

  function number({ before, shown, digits, name, min, max }: Part): number {
    if (!rest.startsWith(before)) throw unlike(before)
    rest = rest.slice(before.length)
    const found = digits.exec(rest)?.[0]
    if (found === undefined) throw unlike(shown)
    const result = Number(found)
    if (name !== '' && (result < min || result > max)) throw wrong(`: ${name} out of range`)
    rest = rest.slice(found.length)
    return result
  }

  /** Reads the fraction of the seconds: the point (or comma) and its digits. */
  function fraction(): string {
    const found = /^[.,]\d+/.exec(rest)?.[0] ?? ''
    rest = rest.slice(found.length)
    return found === '' ? '' : `.${found.slice(1, 10)}`
  }

  /**
   * Reads the zone: `Z`, or an offset such as `+01:00`. The reference checks an offset before the text that follows it,
   * so a wrong offset is reported first.
   */
  function zone(): void {
    if (rest.startsWith('Z')) {
      rest = rest.slice(1)
      return
    }
    if (rest.length < 6 || rest[3] !== ':') throw unlike('Z07:00')
    const hour = TWO.exec(rest.slice(1, 3))?.[0]
    const minute = hour === undefined ? undefined : TWO.exec(rest.slice(4, 6))?.[0]
    if (Number(minute ?? 0) > 60) throw wrong(': time zone offset minute out of range')
    if (Number(hour ?? 0) > 24) throw wrong(': time zone offset hour out of range')
    if (minute === undefined || !/^[+-]/.test(rest)) throw unlike('Z07:00')
    rest = rest.slice(6)
  }

  return { number, fraction, zone, wrong, rest: () => rest }
}

/**
 * The number of days of a month (1 to 12) in the Gregorian calendar. Like Go, it uses this calendar for every year from
 * 0 on.
 */
function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

const two = (number: number): string => String(number).padStart(2, '0')

/**
 * Reads the text between the quotes of a JSON time. Like Go's `time.UnmarshalJSON`, this function does not decode
 * escapes. The caller has checked that the text ends with `Z`. Returns the time in the form `YYYY-MM-DDThh:mm:ssZ`,
 * with at most nine digits for the fraction of the second. Throws an error with the words of Go's `time.ParseError`.
 */
export function goTime(value: Binary): string {
  const reader = createTimeReader(value)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = PARTS.map(reader.number)
  const fraction = reader.fraction()
  reader.zone()
  if (reader.rest() !== '') throw reader.wrong(`: extra text: ${quote(reader.rest())}`)
  if (day < 1 || day > daysOf(year, month)) throw reader.wrong(': day out of range')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}${fraction}Z`
}
