import type { Binary } from '../json/index.ts'

/** The result of the reference's router for a request target. */
export type Target =
  | { readonly kind: 'path'; readonly path: Binary; readonly query: Binary; readonly host: string | undefined }
  /** A redirect. `location` may contain bytes that are not ASCII, so it is escaped before it becomes a header. */
  | { readonly kind: 'redirect'; readonly location: Binary }
  /** The target `*`, or a target that is not a path. */
  | { readonly kind: 'bad'; readonly asterisk: boolean }

/** Returns the text without percent-encoding; `undefined` if the encoding is broken. */
function unescapePercent(text: Binary, plusIsSpace: boolean): Binary | undefined {
  if (!/[%+]/.test(text)) return text
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined
  const spaced = plusIsSpace ? text.replace(/\+/g, ' ') : text
  return spaced.replace(/%(..)/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** The path without empty parts, `.` and `..`; a slash at the end stays. */
function cleanPath(path: Binary): Binary {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  const clean = `/${parts.join('/')}`
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean
}

const isNotAscii = (char: string): boolean => char.charCodeAt(0) > 0x7f

/** The characters that a path may have without escapes. */
const VALID_PATH = /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]%/]*$/

function escapePath(path: Binary): Binary {
  return path.replace(
    /[^A-Za-z0-9\-._~$&+,/:;=@]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/**
 * Returns a text for a header. Each byte that is not ASCII is written as an escape with lower-case hex, as in the
 * reference.
 */
export function escapeNonAscii(text: Binary): string {
  return Array.from(text, (char) =>
    isNotAscii(char) ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : char,
  ).join('')
}

function fromPath(raw: Binary, query: Binary, host: string | undefined): Target {
  const path = unescapePercent(raw, false)
  if (path === undefined) return { kind: 'bad', asterisk: false }
  const needsCleaning = /\/\/|\/\.{1,2}(\/|$)/.test(raw) || raw === ''
  if (!needsCleaning) return { kind: 'path', path, query, host }
  // The address of the redirect is built from the cleaned path. Existing escapes in the path are escaped again.
  const clean = escapePath(cleanPath(VALID_PATH.test(raw) ? raw : escapePath(path)))
  return { kind: 'redirect', location: query === '' ? clean : `${clean}?${query}` }
}

/** Parses a request target as the reference's router does. */
export function parseTarget(method: string, target: Binary): Target {
  if (target.startsWith('/')) {
    const mark = target.indexOf('?')
    const raw = mark < 0 ? target : target.slice(0, mark)
    const query = mark < 0 ? '' : target.slice(mark + 1)
    if (method === 'CONNECT') return { kind: 'path', path: raw, query, host: undefined }
    return fromPath(raw, query, undefined)
  }
  if (target === '*') return { kind: 'bad', asterisk: true }
  if (method === 'CONNECT') return { kind: 'path', path: '', query: '', host: target }
  const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(target)
  if (absolute === null) return { kind: 'bad', asterisk: false }
  const [, host = '', path = '', query = ''] = absolute
  return fromPath(path, query, host.replace(/^.*@/, ''))
}

/**
 * The length of an escape such as `%41`. If every character of a name is escaped, the name becomes this many times
 * longer.
 */
const ESCAPE_LENGTH = 3

/**
 * Returns the first value of each of these names in a query or form. Parts that are broken, or contain `;`, are
 * ignored. The search stops when every name is found. A part is not decoded if its name is too long to be one of these
 * names, even with escapes.
 */
export function parseQuery(query: Binary, names: readonly string[]): ReadonlyMap<Binary, Binary> {
  const values = new Map<Binary, Binary>()
  const longest = ESCAPE_LENGTH * names.reduce((length, name) => Math.max(length, name.length), 0)
  for (let at = 0; at < query.length && values.size < names.length; ) {
    const mark = query.indexOf('&', at)
    const end = mark < 0 ? query.length : mark
    const nameEnd = endOfName(query, at, Math.min(end, at + longest + 1))
    if (nameEnd - at <= longest) {
      const name = unescapePercent(query.slice(at, nameEnd), true)
      if (name !== undefined && names.includes(name) && !values.has(name)) {
        const value = valueAfter(query.slice(nameEnd, end))
        if (value !== undefined) values.set(name, value)
      }
    }
    at = end + 1
  }
  return values
}

const EQUALS = 61

function endOfName(query: Binary, from: number, end: number): number {
  let at = from
  while (at < end && query.charCodeAt(at) !== EQUALS) at++
  return at
}

/**
 * Returns the value after `=`, or an empty text if there is no value. Returns `undefined` if the part contains `;` or a
 * broken escape.
 */
function valueAfter(text: Binary): Binary | undefined {
  return text.includes(';') ? undefined : unescapePercent(text.slice(1), true)
}
