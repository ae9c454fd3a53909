import { SCHEMA_ERRORS, SchemaError } from './errors.ts'

/** A JSON value, as `JSON.parse` returns it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Escapes `<`, `>`, `&` and the line separators in JSON text, as Go's encoding/json does. */
export const escapeLikeGo = (text: string): string =>
  text.replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] as string)

/**
 * Returns JSON text in the form of Go's encoding/json. `<`, `>`, `&` and the line separators are escaped. A lone
 * surrogate, which represents a byte that is not UTF-8 (see bytesToUtf8), becomes `\ufffd`.
 */
export function stringifyJson(value: Json, indent?: string): string {
  const text = indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent)
  const escaped = /[<>&\u2028\u2029]/.test(text) ? escapeLikeGo(text) : text
  if (!escaped.includes('\\ud')) return escaped
  // JSON.stringify writes a lone surrogate as an escape, such as `\ud800`. In the text `\\ud800`, the backslash itself
  // is escaped, so the letters `ud800` are normal text and stay unchanged.
  return escaped.replace(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (match) => (match === '\\\\' ? match : '\\ufffd'))
}

/**
 * Returns the error for a JSON value that has a wrong form. `path` is the place of the value, and `wanted` describes
 * the right form.
 */
export function jsonError(path: string, wanted: string): SchemaError {
  return new SchemaError(SCHEMA_ERRORS.json, `${path === '' ? 'value' : path}: expected ${wanted}`, { data: { path } })
}

/** Returns true if the value is an object of JSON, and not a list or null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
