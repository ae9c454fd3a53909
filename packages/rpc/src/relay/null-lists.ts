import { type Json, type JsonObject, stringifyJson } from '@org/types/schema'
import type { ResultType } from '../call/route.ts'

/** Returns a copy of `own`. An empty list becomes `null` if `sent` has `null` in the same place. */
function withNulls(own: Json, sent: Json | undefined): Json {
  if (Array.isArray(own)) {
    if (own.length === 0 && sent === null) return null
    return Array.isArray(sent) ? own.map((item: Json, index) => withNulls(item, sent[index])) : own
  }
  if (own === null || typeof own !== 'object' || sent === null || typeof sent !== 'object') return own
  const members = Object.entries(own as JsonObject)
  return Object.fromEntries(members.map(([name, value]) => [name, withNulls(value, (sent as JsonObject)[name])]))
}

/**
 * The type of a result in which the node may send `null` for an empty list. The JSON that the node sent is remembered,
 * so the result is written as it was sent.
 */
export function asSent<T>(type: ResultType<T>): ResultType<T> {
  const sentFor = new WeakMap<object, Json>()
  return {
    ...type,
    parse: (json) => {
      const value = type.parse(json)
      if (typeof value === 'object' && value !== null) sentFor.set(value, json as Json)
      return value
    },
    stringify: (value) => {
      const sent = typeof value === 'object' && value !== null ? sentFor.get(value) : undefined
      const text = type.stringify(value)
      return sent === undefined ? text : stringifyJson(withNulls(JSON.parse(text) as Json, sent))
    },
  }
}
