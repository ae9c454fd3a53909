import protobuf from 'protobufjs/minimal.js'
import { type Codec, WIRE } from './codec.ts'
import { Cursor } from './cursor.ts'
import { SCHEMA_ERRORS, SchemaError } from './errors.ts'
import type { Field, FieldValue } from './field.ts'
import { isJsonObject, type Json, type JsonObject, jsonError } from './json.ts'

type Writer = protobuf.Writer

// biome-ignore lint/suspicious/noExplicitAny: a field of any type; the shape keeps the types.
export type Shape = Readonly<Record<string, Field<any>>>
export type ShapeValue<S extends Shape> = { readonly [K in keyof S]: FieldValue<S[K]> }

/** One protobuf message: from this value come its type, its wire codec and its JSON codec. */
export interface MessageSchema<T> extends Codec<T> {
  readonly typeName: string
  readonly encode: (value: T) => Uint8Array
  /** Throws {@link SchemaError}. Byte fields are views of `bytes`. */
  readonly decode: (bytes: Uint8Array) => T
  /** The length as an uvarint, then the message. */
  readonly encodeDelimited: (value: T) => Uint8Array
  /** A value with every field that is not given at its zero. */
  readonly create: (fields?: Partial<T>) => T
  readonly toJson: (value: T) => JsonObject
  readonly fromJson: (json: Json, path?: string) => T
}

export type Infer<S> = S extends MessageSchema<infer T> ? T : never

export interface MessageOptions {
  /** How a field's name is spelled in JSON unless the field says otherwise. Default `snake`. */
  readonly jsonNames?: 'snake' | 'camel'
}

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Defines a message. Fields stand in the order of the reference's Go struct (the order of its JSON); on the wire they are
 * written by number.
 */
export function message<S extends Shape>(
  typeName: string,
  shape: S,
  options: MessageOptions = {},
): MessageSchema<ShapeValue<S>> {
  type T = ShapeValue<S>
  const keys = Object.keys(shape)
  const fields = keys.map((key) => ({
    key,
    field: shape[key] as Field<unknown>,
    jsonName: shape[key]?.json.name ?? (options.jsonNames === 'camel' ? key : snake(key)),
  }))
  const writers = fields
    .flatMap(({ key, field }) => field.wire.map((wire) => ({ key, ...wire })))
    .sort((a, b) => a.number - b.number)
  const readers: (
    | { readonly key: string; readonly read: (c: Cursor, tag: number, old: unknown) => unknown }
    | undefined
  )[] = []
  for (const { key, number, read } of writers) readers[number] = { key, read }

  const defaults = (): Record<string, unknown> => {
    const value: Record<string, unknown> = {}
    for (const { key, field } of fields) value[key] = field.zero()
    return value
  }

  function writeFields(writer: Writer, value: T): void {
    const record = value as Record<string, unknown>
    for (const { key, write } of writers) write(writer, record[key])
  }

  function readFields(cursor: Cursor): T {
    const value = defaults()
    while (cursor.pos < cursor.end) {
      const tag = cursor.uint32()
      const number = tag >>> 3
      if (number === 0 || (tag & 7) === 4) {
        throw new SchemaError(SCHEMA_ERRORS.illegalTag, `${typeName}: illegal tag ${tag}`, { data: { typeName, tag } })
      }
      const reader = readers[number]
      if (reader === undefined) cursor.skip(tag)
      else value[reader.key] = reader.read(cursor, tag, value[reader.key])
    }
    return value as T
  }

  const create = (given?: Partial<T>): T => ({ ...defaults(), ...given }) as T

  return {
    typeName,
    wireType: WIRE.bytes,
    get zero() {
      return create()
    },
    isZero: () => false,
    write: (writer, value) => {
      writer.fork()
      writeFields(writer, value)
      writer.ldelim()
    },
    read: (cursor) => {
      const length = cursor.length()
      const outer = cursor.end
      cursor.end = cursor.pos + length
      const value = readFields(cursor)
      cursor.end = outer
      return value
    },
    encode: (value) => {
      const writer = new protobuf.Writer()
      writeFields(writer, value)
      return writer.finish()
    },
    encodeDelimited: (value) => {
      const writer = new protobuf.Writer().fork()
      writeFields(writer, value)
      return writer.ldelim().finish()
    },
    decode: (bytes) => readFields(new Cursor(bytes)),
    create,
    toJson: (value) => {
      const json: Record<string, Json> = {}
      for (const { key, field, jsonName } of fields) {
        const member = field.json.write((value as Record<string, unknown>)[key])
        if (member !== undefined) json[jsonName] = member
      }
      return json
    },
    fromJson: (json, path = '') => {
      if (!isJsonObject(json)) throw jsonError(path, `an object (${typeName})`)
      const value = defaults()
      for (const { key, field, jsonName } of fields) {
        const member = json[jsonName]
        if (member !== undefined) value[key] = field.json.read(member, path === '' ? jsonName : `${path}.${jsonName}`)
      }
      return value as T
    },
  }
}
