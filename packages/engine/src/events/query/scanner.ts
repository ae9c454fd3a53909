import { type Parsed, readDate, readTime } from './date-time.ts'
import { QueryError } from './errors.ts'
import type { Token } from './syntax.ts'

const SPACE = /^\p{White_Space}$/u
const TAG_FIRST = /^[_\p{L}\p{Nd}]$/u
const TAG = /^[._\-\p{L}\p{Nd}]$/u
const DIGIT = /^[0-9]$/
const TIME = /^[0-9\-T:+Z]$/
const DATE = /^[0-9-]$/

/**
 * Matches a lone surrogate. The function `bytesToUtf8` decodes each byte that is not valid UTF-8 to a lone surrogate.
 * The reference reads such a byte as U+FFFD, with a length of one byte.
 */
const LOST = /^[\ud800-\udfff]$/
const REPLACEMENT = '\ufffd'

const END = undefined

/**
 * Splits a query into tokens, and accepts the same texts as the reference. For an error inside a token, the token is
 * `invalid` and `problem` describes the error. If the text ends inside a string or before a token, `problem` is `EOF`.
 */
export class Scanner {
  token: Token = 'invalid'
  text = ''
  /** The position at which the token begins, in bytes. */
  offset = 0
  problem: string | undefined
  readonly #chars: readonly string[]
  #at = 0
  /** The position after the last character that was read, in bytes. */
  #end = 0

  constructor(query: string) {
    this.#chars = Array.from(query)
  }

  /** Returns the problem as an error at the current token. */
  error(): QueryError {
    return new QueryError(this.offset, this.problem as string)
  }

  next(): void {
    this.text = ''
    this.token = 'invalid'
    this.problem = undefined
    let before = this.#end
    let char = this.#nextChar()
    while (char !== END && SPACE.test(char)) {
      before = this.#end
      char = this.#nextChar()
    }
    if (char === END) {
      this.offset = this.#end
      this.problem = 'EOF'
      return
    }
    this.offset = before
    if (DIGIT.test(char)) this.#number(char)
    else if (TAG_FIRST.test(char)) this.#word(char)
    else if (char === "'") this.#string()
    else if (char === '=') this.token = '='
    else if (char === '<' || char === '>') this.token = this.#follows('=') ? `${char}=` : char
    else this.problem = `invalid input ${char} at offset ${this.#end}`
  }

  #nextChar(): string | undefined {
    const char = this.#chars[this.#at]
    if (char === END) return END
    this.#at++
    this.#end += byteLength(char)
    return LOST.test(char) ? REPLACEMENT : char
  }

  #follows(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false
    this.#nextChar()
    return true
  }

  #while(pattern: RegExp): string {
    let text = ''
    for (let char = this.#chars[this.#at]; char !== END && pattern.test(char); char = this.#chars[this.#at]) {
      text += char
      this.#nextChar()
    }
    return text
  }

  #number(first: string): void {
    this.text = first + this.#while(DIGIT)
    if (this.#follows('.')) this.text += `.${this.#while(DIGIT)}`
    this.token = 'number'
  }

  #string(): void {
    for (let char = this.#nextChar(); ; char = this.#nextChar()) {
      if (char === END) {
        this.problem = 'EOF'
        return
      }
      if (char === "'") break
      this.text += char
    }
    this.token = 'string'
  }

  #word(first: string): void {
    this.text = first + this.#while(TAG)
    if (this.text === 'TIME' && this.#follows(' ')) this.#moment('time', TIME, readTime)
    else if (this.text === 'DATE' && this.#follows(' ')) this.#moment('date', DATE, readDate)
    else if (this.text === 'AND') this.token = 'and'
    else if (this.text === 'EXISTS') this.token = 'exists'
    else if (this.text === 'CONTAINS') this.token = 'contains'
    else this.token = 'tag'
  }

  #moment(token: 'time' | 'date', chars: RegExp, read: (text: string) => Parsed): void {
    this.text = this.#while(chars)
    const parsed = read(this.text)
    if ('problem' in parsed) this.problem = `invalid ${token.toUpperCase()} value: ${parsed.problem()}`
    else if (parsed.year < 1900 || parsed.year > 2999) {
      this.problem = `${token}stamp year ${parsed.year} out of range`
    } else this.token = token
  }
}

function byteLength(char: string): number {
  const code = char.codePointAt(0) as number
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  if (LOST.test(char)) return 1
  return code < 0x10000 ? 3 : 4
}
