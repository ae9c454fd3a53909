import type { RpcTransport } from '@org/rpc/client'
import type { Json } from '@org/types/schema'

/** A change of one member of an answer. */
export interface Lie {
  /** The path of the member, with `*` for each position in a list. */
  readonly path: string
  readonly change: (result: Json) => Json
}

/**
 * Returns other values of the same form. For an integer, some of the returned integers differ from `value` by 2^32 or
 * 2^64. A protobuf writer that does not check the range of integers encodes such an integer with the same bits as
 * `value`.
 */
function otherLeaves(value: Json): readonly Json[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value + 2 ** 32, value - 2 ** 32]
  if (typeof value !== 'string' || value === '') return []
  if (!/^-?\d+$/.test(value)) return [otherText(value)]
  return [1n, 1n << 64n, -(1n << 64n)].map((more) => String(BigInt(value) + more))
}

function otherText(value: string): string {
  // Changes one character, so that the value keeps its form. In a time, this is the first digit of the minutes. In a
  // text of more than ten characters, it is about the tenth character from the end. In a shorter text, it is the first
  // character.
  const at = value.search(/[0-9A-Za-z](?=[0-9A-Za-z+/=]{0,8}$)/)
  const place = /^\d{4}-/.test(value) ? value.indexOf(':') + 1 : Math.max(0, at - 1)
  const old = value.charAt(place)
  const other = old === '0' ? '1' : /\d/.test(old) ? '0' : old === 'A' ? 'B' : 'A'
  return value.slice(0, place) + other + value.slice(place + 1)
}

/** Returns every lie that changes one member of a result, or removes the last item of a list. */
export function liesAbout(result: Json, path = ''): readonly Lie[] {
  if (Array.isArray(result)) {
    const shorter = result.length === 0 ? [] : [{ path: `${path}.length`, change: () => result.slice(0, -1) }]
    return [...shorter, ...result.flatMap((item, i) => within(result, liesAbout(item, `${path}.*`), String(i)))]
  }
  if (result !== null && typeof result === 'object') {
    return Object.entries(result).flatMap(([name, value]) =>
      within(result, liesAbout(value as Json, `${path}.${name}`), name),
    )
  }
  return otherLeaves(result).map((other) => ({ path, change: () => other }))
}

function within(outer: Json, lies: readonly Lie[], name: string): readonly Lie[] {
  return lies.map(({ path, change }) => ({
    path,
    change: () => {
      const copy = (Array.isArray(outer) ? [...outer] : { ...(outer as object) }) as Record<string, Json>
      copy[name] = change(copy[name] as Json)
      return copy as Json
    },
  }))
}

/** Makes a transport that changes the results of one method. */
export function lyingTransport(inner: RpcTransport, method: string, change: (result: Json) => Json): RpcTransport {
  return {
    ...inner,
    send: async (calls, signal) => {
      const answers = await inner.send(calls, signal)
      return answers.map((answer, i) =>
        calls[i]?.method === method && 'result' in answer ? { result: change(answer.result as Json) } : answer,
      )
    },
  }
}
