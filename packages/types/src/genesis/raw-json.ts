import { escapeLikeGo } from '../schema/json.ts'
import { GENESIS_ERRORS, GenesisError } from './errors.ts'

/*
 * The application receives `app_state` as the exact text of the file, because JSON.parse would change large numbers. So
 * the document is split into the texts of its members, and only the members that the node uses are parsed.
 */

const notJson = (reason: string): GenesisError =>
  new GenesisError(GENESIS_ERRORS.syntax, `not a JSON object: ${reason}`)

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

function skipBlanks(text: string, at: number): number {
  let i = at
  while (i < text.length && isBlank(text.charCodeAt(i))) i++
  return i
}

/** Returns the position after the closing quote of the string that begins at `at`. */
function skipString(text: string, at: number): number {
  let i = at + 1
  while (i < text.length) {
    const char = text[i]
    if (char === '"') return i + 1
    i += char === '\\' ? 2 : 1
  }
  throw notJson('a string does not end')
}

/** Returns the position after the value that starts at `at`. Does not check the value; JSON.parse does that later. */
function skipValue(text: string, at: number): number {
  let depth = 0
  let i = at
  while (i < text.length) {
    const char = text[i]
    if (char === '"') {
      i = skipString(text, i)
      if (depth === 0) return i
      continue
    }
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (depth === 0) return i
      if (--depth === 0) return i + 1
    } else if (depth === 0 && (char === ',' || isBlank(text.charCodeAt(i)))) return i
    i++
  }
  throw notJson('the object does not end')
}

function expectChar(text: string, at: number, wanted: string): number {
  if (text[at] === wanted) return at + 1
  throw notJson(`expected '${wanted}' at position ${at}`)
}

/**
 * Returns the text of each member of an object. If several members have the same name, the last of them is returned.
 * Throws `GENESIS_SYNTAX`.
 */
export function splitMembers(text: string): Map<string, string> {
  const members = new Map<string, string>()
  let at = skipBlanks(text, expectChar(text, skipBlanks(text, 0), '{'))
  while (text[at] !== '}') {
    expectChar(text, at, '"')
    const keyEnd = skipString(text, at)
    const key = JSON.parse(text.slice(at, keyEnd)) as string
    const start = skipBlanks(text, expectChar(text, skipBlanks(text, keyEnd), ':'))
    const end = skipValue(text, start)
    members.set(key, text.slice(start, end))
    at = skipBlanks(text, end)
    if (text[at] === '}') break
    at = skipBlanks(text, expectChar(text, at, ','))
    expectChar(text, at, '"')
  }
  const rest = skipBlanks(text, at + 1)
  if (rest < text.length) throw notJson(`unexpected text at position ${rest}`)
  return members
}

/**
 * Matches a JSON string with its quotes, or the text between two JSON strings. Only escapes repeat a group, because the
 * runtime needs stack for each repetition of a group, and a string may have millions of characters.
 */
const PIECES = /"[^"\\]*(?:\\.[^"\\]*)*"|[^"]+/gs

/**
 * Returns valid JSON text in the form that Go writes for raw JSON: without blanks, with `<`, `>` and `&` escaped, and
 * with numbers and other escapes unchanged.
 */
export function compactJson(text: string): string {
  return text.replace(PIECES, (piece) =>
    piece.startsWith('"') ? escapeLikeGo(piece) : piece.replace(/[ \n\r\t]+/g, ''),
  )
}

/** Indents compact JSON text: adds line breaks, and two blanks per level. */
export function indentJson(compact: string): string {
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  return compact.replace(PIECES, (piece) => {
    if (piece.startsWith('"')) return piece
    return piece.replace(/\{\}|\[\]|[{}[\],:]/g, (token) => {
      switch (token) {
        case '{':
        case '[':
          depth++
          return token + line()
        case '}':
        case ']':
          depth--
          return line() + token
        case ',':
          return token + line()
        case ':':
          return ': '
        default:
          return token
      }
    })
  })
}
