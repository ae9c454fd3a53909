import type { Time } from '@org/types/time'

/**
 * The result of reading a text as a time. It has the time, and the year in the time zone of the text. If the text is
 * not a time, the result has only the function `problem`. This function returns the reason in the words of Go's
 * `time.Parse`. The reason quotes the text, which may be an event's value of a million bytes. Only an error message
 * needs the reason, and the comparison of an event's value with a query does not. So the reason is made only if
 * `problem` is called.
 */
export type Parsed = { readonly time: Time; readonly year: number } | { readonly problem: () => string }

const RFC3339 = '2006-01-02T15:04:05Z07:00'
const DATE = '2006-01-02'

interface Fields {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  nanos: bigint
  /** The offset from UTC in seconds; it is positive east of Greenwich. */
  zone: number
}

/**
 * The error for a text that is not a time. It is thrown and caught only in this file. The function `read` catches the
 * error, and returns the error's function `describe` as the member `problem` of {@link Parsed}.
 */
class Problem extends Error {
  readonly describe: () => string
  constructor(describe: () => string) {
    super()
    this.describe = describe
  }
}

/** Reads the text piece by piece, in the way in which Go reads a time, so that the error names the first bad piece. */
class Reader {
  rest: string
  readonly #text: string
  readonly #layout: string

  constructor(text: string, layout: string) {
    this.#text = text
    this.#layout = layout
    this.rest = text
  }

  bad(element: string, at: string = this.rest): Problem {
    return new Problem(
      () =>
        `parsing time ${quote(this.#text)} as ${quote(this.#layout)}: cannot parse ${quote(at)} as ${quote(element)}`,
    )
  }

  outOfRange(what: string): Problem {
    return new Problem(() => `parsing time ${quote(this.#text)}: ${what} out of range`)
  }

  literal(char: string): void {
    if (this.rest[0] !== char) throw this.bad(char)
    this.rest = this.rest.slice(1)
  }

  year(): number {
    const digits = this.rest.slice(0, 4)
    if (!/^\d{4}$/.test(digits)) throw this.bad('2006')
    this.rest = this.rest.slice(4)
    return Number(digits)
  }

  /**
   * Reads a number. By default the number has two digits. `digits` is another pattern, for example for an hour of one
   * digit.
   */
  number(element: string, digits: RegExp = /^\d\d/): number {
    const found = digits.exec(this.rest)?.[0]
    if (found === undefined) throw this.bad(element)
    this.rest = this.rest.slice(found.length)
    return Number(found)
  }

  fraction(): bigint {
    const digits = /^[.,](\d+)/.exec(this.rest)?.[1]
    if (digits === undefined) return 0n
    this.rest = this.rest.slice(digits.length + 1)
    return BigInt(digits.slice(0, 9).padEnd(9, '0'))
  }

  zone(): number {
    if (this.rest[0] === 'Z') {
      this.rest = this.rest.slice(1)
      return 0
    }
    const offsetText = this.rest
    if (offsetText.length < 6 || offsetText[3] !== ':') throw this.bad('Z07:00')
    const [hour, minute] = [offsetText.slice(1, 3), offsetText.slice(4, 6)]
    if (!/^\d\d\d\d$/.test(hour + minute)) throw this.bad('Z07:00')
    // Go accepts 24 as the hour of an offset and 60 as its minute, so this function does too.
    if (Number(minute) > 60) throw this.outOfRange('time zone offset minute')
    if (Number(hour) > 24) throw this.outOfRange('time zone offset hour')
    if (offsetText[0] !== '+' && offsetText[0] !== '-') throw this.bad('Z07:00')
    this.rest = offsetText.slice(6)
    const seconds = Number(hour) * 3600 + Number(minute) * 60
    return offsetText[0] === '-' ? -seconds : seconds
  }

  end(): void {
    const { rest } = this
    if (rest !== '') throw new Problem(() => `parsing time ${quote(this.#text)}: extra text: ${quote(rest)}`)
  }

  date(fields: Fields): void {
    fields.year = this.year()
    this.literal('-')
    fields.month = this.number('01')
    if (fields.month < 1 || fields.month > 12) throw this.outOfRange('month')
    this.literal('-')
    fields.day = this.number('02')
  }

  clock(fields: Fields): void {
    this.literal('T')
    fields.hour = this.number('15', /^\d\d?/)
    if (fields.hour > 23) throw this.outOfRange('hour')
    this.literal(':')
    fields.minute = this.number('04')
    if (fields.minute > 59) throw this.outOfRange('minute')
    this.literal(':')
    fields.second = this.number('05')
    if (fields.second > 59) throw this.outOfRange('second')
    fields.nanos = this.fraction()
    fields.zone = this.zone()
  }
}

function quote(text: string): string {
  let quoted = ''
  for (const byte of new TextEncoder().encode(text)) {
    const char = String.fromCharCode(byte)
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`
    else quoted += char === '"' || char === '\\' ? `\\${char}` : char
  }
  return `"${quoted}"`
}

function read(text: string, layout: string): Parsed {
  const fields: Fields = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0, nanos: 0n, zone: 0 }
  const reader = new Reader(text, layout)
  try {
    reader.date(fields)
    if (layout === RFC3339) reader.clock(fields)
    reader.end()
    const date = new Date(0)
    date.setUTCFullYear(fields.year, fields.month - 1, fields.day)
    if (fields.day < 1 || date.getUTCDate() !== fields.day) throw reader.outOfRange('day')
    date.setUTCHours(fields.hour, fields.minute, fields.second)
    const seconds = BigInt(date.getTime() / 1000 - fields.zone)
    return { time: seconds * 1_000_000_000n + fields.nanos, year: fields.year }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.describe }
    throw error
  }
}

/** Reads a time in the format of RFC 3339. Accepts the same deviations from the format as Go. */
export const readTime = (text: string): Parsed => read(text, RFC3339)
/** Reads a date in the form `yyyy-mm-dd`. The result is the beginning of this day in UTC. */
export const readDate = (text: string): Parsed => read(text, DATE)
