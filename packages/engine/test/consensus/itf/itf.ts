/** A value of the Informal Trace Format as a JavaScript value: sets are arrays, variants have a tag. */
export type ItfValue =
  | string
  | boolean
  | number
  | readonly ItfValue[]
  | ReadonlyMap<ItfValue, ItfValue>
  | { readonly [name: string]: ItfValue }

export interface ItfTrace {
  readonly vars: readonly string[]
  readonly states: readonly { readonly [name: string]: ItfValue }[]
}

/** Reads a trace. Throws on values that the format does not define, and on integers that a double cannot represent. */
export function parseItf(text: string): ItfTrace {
  const { vars, states } = JSON.parse(text) as { vars: string[]; states: { [name: string]: unknown }[] }
  return { vars, states: states.map((state) => fieldsOf(state)) }
}

function fromJson(json: unknown): ItfValue {
  if (typeof json === 'string' || typeof json === 'boolean') return json
  if (typeof json === 'number') return whole(json)
  if (Array.isArray(json)) return json.map(fromJson)
  if (typeof json !== 'object' || json === null) throw new TypeError(`no value of a trace: ${json}`)
  const special = json as { [mark: string]: unknown }
  if ('#bigint' in special) return whole(Number(special['#bigint']))
  if ('#tup' in special) return fromJson(special['#tup'])
  if ('#set' in special) return fromJson(special['#set'])
  if ('#map' in special) {
    return new Map((special['#map'] as [unknown, unknown][]).map(([key, value]) => [fromJson(key), fromJson(value)]))
  }
  if ('#unserializable' in special) throw new TypeError('a value that the trace does not hold')
  return fieldsOf(special)
}

function fieldsOf(json: { [name: string]: unknown }): { readonly [name: string]: ItfValue } {
  const fields = Object.entries(json).filter(([name]) => name !== '#meta')
  return Object.fromEntries(fields.map(([name, value]) => [name, fromJson(value)]))
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`too big for a number: ${value}`)
  return value
}
