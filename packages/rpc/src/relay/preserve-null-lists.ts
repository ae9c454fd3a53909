import { type Json, type JsonObject, stringifyJson } from '@org/types/schema'
import type { ResultType } from '../call/route.ts'

/**
 * Returns a copy of `own` in which an empty list is replaced by `null` if `sent`, the JSON from another node, has
 * `null` at the same position.
 */
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
 * Returns a type for results in which another node may have sent `null` for an empty list. The type remembers the
 * received JSON of each value, and writes `null` again for such a list.
 */
export function preserveNullLists<T>(type: ResultType<T>): ResultType<T> {
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
