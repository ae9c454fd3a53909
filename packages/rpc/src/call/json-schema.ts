import type { JsonSchema } from './params.ts'

/** Returns the JSON Schema that refers to a component of the OpenAPI document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
export const text: JsonSchema = { type: 'string' }
export const flag: JsonSchema = { type: 'boolean' }
export const int: JsonSchema = { type: 'integer' }
export const int64: JsonSchema = { type: 'string', pattern: '^-?[0-9]+$' }
export const hex: JsonSchema = { type: 'string', pattern: '^([0-9A-F]{2})*$' }
export const base64: JsonSchema = { type: 'string', contentEncoding: 'base64' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** A value or `null`. */
export function maybe(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

export function record(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  }
}

/** The schema of a tagged value in the reference's JSON: an object with the name of a type, and the value. */
export const tagged = (types: readonly string[], value: JsonSchema): JsonSchema =>
  record({ type: { type: 'string', enum: types }, value })
