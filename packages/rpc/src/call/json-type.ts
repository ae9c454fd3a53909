import {
  bool as boolCodec,
  bytes as bytesCodec,
  type Codec,
  EMPTY_BYTES,
  hexBytes as hexCodec,
  int64 as int64Codec,
  isJsonObject,
  type Json,
  jsonError,
  NO_ITEMS,
  safeInt64 as safeInt64Codec,
  string as stringCodec,
  stringifyJson,
  time as timeCodec,
  uint32 as uint32Codec,
} from '@org/types/schema'
import { snakeCase } from '../json/snake-case.ts'
import * as schemas from './json-schema.ts'
import type { JsonSchema } from './params.ts'
import type { ResultType } from './route.ts'
import type { Form } from './type-structure.ts'

/**
 * Describes the type of a value in results: how the value is written as JSON and read from JSON, and its JSON Schema.
 */
export interface JsonType<T> {
  /**
   * Returns the JSON of a value. Returns `undefined` if the value is left out of the JSON of the object that contains
   * it.
   */
  toJson(this: void, value: T): Json | undefined
  readonly fromJson: (json: Json | undefined, path: string) => T
  readonly schema: JsonSchema
  readonly form: Form
  /** True if an object may lack a member of this type. */
  readonly isOptional?: boolean
}

export type JsonValue<J> = J extends JsonType<infer T> ? T : never

/** Makes a `JsonType` from a codec. `schema` is the name of a component of the API documents, or a whole schema. */
export function coded<T>(codec: Pick<Codec<T>, 'toJson' | 'fromJson'>, schema: string | JsonSchema): JsonType<T> {
  return {
    toJson: codec.toJson,
    fromJson: (json, path) => codec.fromJson(json ?? null, path),
    schema: typeof schema === 'string' ? schemas.ref(schema) : schema,
    form: { kind: 'codec', codec },
  }
}

export const text: JsonType<string> = coded(stringCodec, schemas.text)
export const flag: JsonType<boolean> = coded(boolCodec, schemas.flag)
/** A count or a height: a string in JSON, a safe integer in the code. */
export const count: JsonType<number> = coded(safeInt64Codec, schemas.int64)
/** An integer of 64 bits: a string in JSON, a bigint in the code. */
export const amount: JsonType<bigint> = coded(int64Codec, schemas.int64)
export const uint32: JsonType<number> = coded(uint32Codec, { type: 'integer', minimum: 0 })
export const hex: JsonType<Uint8Array> = coded(hexCodec, schemas.hex)
export const base64: JsonType<Uint8Array> = coded(bytesCodec, schemas.base64)
export const time: JsonType<bigint> = coded(timeCodec, schemas.time)

/**
 * Bytes in base64. The object `EMPTY_BYTES` is written as `null`, as the reference writes a nil slice. Any other empty
 * array is written as an empty text.
 */
export const base64OrNull: JsonType<Uint8Array> = {
  toJson: (value) => (value === EMPTY_BYTES ? null : bytesCodec.toJson(value)),
  fromJson: base64.fromJson,
  schema: schemas.maybe(schemas.base64),
  form: base64.form,
}

/** JSON that is passed on without a change. */
export const anyJson: JsonType<Json> = {
  toJson: (value) => value,
  fromJson: (json) => json ?? null,
  schema: {},
  form: { kind: 'json' },
}

export function list<T>(item: JsonType<T>): JsonType<readonly T[]> {
  return {
    toJson: (values) => values.map((value) => item.toJson(value) ?? null),
    fromJson: (json, path) => {
      if (json === null || json === undefined) return []
      if (!Array.isArray(json)) throw jsonError(path, 'an array')
      return json.map((value: Json, i) => item.fromJson(value, `${path}[${i}]`))
    },
    schema: schemas.listOf(item.schema),
    form: { kind: 'list', item: item.form },
  }
}

/**
 * A list. The object `NO_ITEMS` is written as `null`, as the reference writes a nil slice. Any other empty list is
 * written as `[]`.
 */
export function nullableList<T>(item: JsonType<T>): JsonType<readonly T[]> {
  const inner = list(item)
  return {
    toJson: (values) => (values === NO_ITEMS ? null : inner.toJson(values)),
    fromJson: inner.fromJson,
    schema: schemas.maybe(inner.schema),
    form: inner.form,
  }
}

export function nullable<T>(inner: JsonType<T>): JsonType<T | undefined> {
  return {
    toJson: (value) => (value === undefined ? null : inner.toJson(value)),
    fromJson: (json, path) => (json === null || json === undefined ? undefined : inner.fromJson(json, path)),
    schema: schemas.maybe(inner.schema),
    form: { kind: 'optional', item: inner.form },
  }
}

/** A member that is left out when there is no value. */
export function omittable<T>(inner: JsonType<T>): JsonType<T | undefined> {
  return {
    toJson: (value) => (value === undefined ? undefined : inner.toJson(value)),
    fromJson: (json, path) => (json === undefined ? undefined : inner.fromJson(json, path)),
    schema: inner.schema,
    form: { kind: 'optional', item: inner.form },
    isOptional: true,
  }
}

type ObjectShape = Readonly<Record<string, JsonType<unknown>>>
type ObjectValue<S extends ObjectShape> = { readonly [K in keyof S]: JsonValue<S[K]> }

/** An object. Its keys are in snake case in JSON, and have the order of the members of `shape`. */
export function object<S extends ObjectShape>(shape: S): JsonType<ObjectValue<S>> {
  const members = Object.keys(shape).map((key) => ({
    key,
    name: snakeCase(key),
    type: shape[key] as JsonType<unknown>,
  }))
  const optional = members.filter(({ type }) => type.isOptional === true).map(({ name }) => name)
  return {
    toJson: (value) => {
      const json: Record<string, Json> = {}
      for (const { key, name, type } of members) {
        const member = type.toJson((value as Record<string, unknown>)[key])
        if (member !== undefined) json[name] = member
      }
      return json
    },
    fromJson: (json, path) => {
      if (!isJsonObject(json)) throw jsonError(path, 'an object')
      const value: Record<string, unknown> = {}
      for (const { key, name, type } of members)
        value[key] = type.fromJson(json[name], path === '' ? name : `${path}.${name}`)
      return value as ObjectValue<S>
    },
    schema: schemas.record(Object.fromEntries(members.map(({ name, type }) => [name, type.schema])), optional),
    form: { kind: 'object', members: members.map(({ key, name, type }) => ({ key, name, form: type.form })) },
  }
}

/** Makes the type of an operation's result from a `JsonType`. */
export function resultOf<T>(type: JsonType<T>): ResultType<T> {
  return {
    stringify: (value) => stringifyJson(type.toJson(value) ?? null),
    parse: (json) => type.fromJson(json as Json, ''),
    schema: type.schema,
    form: type.form,
  }
}
