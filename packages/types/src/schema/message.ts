import { type Codec, WIRE } from './codec.ts'
import { Cursor } from './cursor.ts'
import type { Field, FieldValue } from './field.ts'
import { isJsonObject, type Json, type JsonObject, jsonError } from './json.ts'
import { Writer } from './writer.ts'

/**
 * The number of items that a nested message counts as. The items inside the nested message are counted in addition. A
 * decoder limits the total number of items in a message.
 */
const ITEMS_OF_MESSAGE = 1

/** The fields of a message, by their keys. The order of the keys is the order of the members in JSON. */
export type Shape = Readonly<Record<string, Field<unknown>>>
export type ShapeValue<S extends Shape> = { readonly [K in keyof S]: FieldValue<S[K]> }

/** The schema of one protobuf message: its type, its wire codec and its JSON codec. */
export interface MessageSchema<T> extends Codec<T> {
  readonly typeName: string
  /** The fields, in the order of the JSON. */
  readonly shape: Shape
  /** The members of the JSON, in their order. A hidden field has no member. */
  readonly jsonMembers: readonly JsonMember[]
  /**
   * The only field of the message. Present only if the JSON of the message is the JSON of this field, as in
   * {@link unwrapped}.
   */
  readonly onlyField?: Field<unknown>
  encode(this: void, value: T): Uint8Array
  /** Decodes a message. Byte fields are views of `bytes`. Throws {@link SchemaError}. */
  readonly decode: (bytes: Uint8Array, limits?: DecodeLimits) => T
  /** Returns the length of the message as an uvarint, and then the message. */
  encodeDelimited(this: void, value: T): Uint8Array
  /** Returns a message with the given fields. The other fields are zero, or are computed by `derive`. */
  create(this: void, fields?: Partial<T>): T
  toJson(this: void, value: T): JsonObject
  readonly fromJson: (json: Json, path?: string) => T
}

/** A member of a message's JSON: its name, and the field that has its value. */
export interface JsonMember {
  /** The key of the field in {@link MessageSchema.shape}. */
  readonly key: string
  readonly name: string
  readonly field: Field<unknown>
}

export interface DecodeLimits {
  /**
   * The maximum number of items. An element of a list is an item, and a nested message is one more item. An element
   * that is read again to compute another field (`derive`) is one more item each time. Decoding stops at the first item
   * above the maximum with `SCHEMA_TOO_MANY_ITEMS`. So bytes from a peer cannot cost more heap and time than this
   * maximum allows.
   */
  readonly maxItems: number
  /** Receives the number of items in the message, after the whole message has been decoded. */
  readonly onItems?: (items: number) => void
}

/** The TypeScript type of the values of a schema: `Infer<typeof Header>`. */
export type Infer<S> = S extends MessageSchema<infer T> ? T : never

export interface MessageOptions<T> {
  /** The way in which a field's key is spelled in JSON, unless the field has an explicit name. Default: `snake`. */
  readonly jsonNames?: 'snake' | 'camel' | 'pascal'
  /** Computes fields from other fields: after decoding, after reading JSON, and in `create` if they are not given. */
  readonly derive?: (value: T) => Partial<T>
}

const SPELLINGS = {
  snake: (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  camel: (key: string): string => key,
  /** The names that Go writes for a struct without JSON tags. */
  pascal: (key: string): string => key.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
} as const

/**
 * Defines a message. Fields are in the order of the reference's Go struct, which is the order of the JSON. On the wire
 * they are written in the order of their numbers. The function is long because it makes all forms of a schema from one
 * table of fields.
 */
/* @__NO_SIDE_EFFECTS__ */
export function message<S extends Shape>(
  typeName: string,
  shape: S,
  options: MessageOptions<ShapeValue<S>> = {},
): MessageSchema<ShapeValue<S>> {
  type T = ShapeValue<S>
  const { derive, jsonNames = 'snake' } = options
  const keys = Object.keys(shape)
  const fields = keys.map((key) => {
    const field = shape[key] as Field<unknown>
    return { key, name: field.json.name ?? SPELLINGS[jsonNames](key), field }
  })
  const writers = keys
    .flatMap((key) => (shape[key] as Field<unknown>).wire.map((wire) => ({ key, ...wire })))
    .sort((a, b) => a.number - b.number)
  const readers: (
    | { readonly key: string; readonly read: (c: Cursor, tag: number, old: unknown) => unknown }
    | undefined
  )[] = Array.from({ length: Math.max(0, ...writers.map(({ number }) => number)) + 1 })
  for (const { key, number, read } of writers) readers[number] = { key, read }

  // Messages are immutable, so all messages of a type can share the same zero values of their fields. Each message is a
  // copy of one template, so all have the same hidden class.
  const template: Record<string, unknown> = {}
  for (const key of keys) template[key] = (shape[key] as Field<unknown>).zero()
  const zero = Object.freeze({ ...template, ...derive?.(template as T) }) as T

  function writeFields(writer: Writer, value: T): void {
    const record = value as Record<string, unknown>
    for (const { key, write } of writers) write(writer, record[key])
  }

  function readFields(cursor: Cursor, value: Record<string, unknown>): T {
    while (cursor.pos < cursor.end) {
      const tag = cursor.tag()
      const number = tag >>> 3
      const reader = number < readers.length ? readers[number] : undefined
      if (reader === undefined) cursor.skip(tag)
      else value[reader.key] = reader.read(cursor, tag, value[reader.key])
    }
    return finish(value)
  }

  function finish(value: Record<string, unknown>): T {
    return derive === undefined ? (value as T) : (Object.assign(value, derive(value as T)) as T)
  }

  /**
   * Counts list elements again toward the limit of items ({@link DecodeLimits}), because the option `derive` reads them
   * again. In protobuf, a nested message may come in several parts, which the decoder merges. `old` is the message that
   * was merged from the parts before. After each part, `derive` computes fields of the merged message, and reads all
   * its lists from the beginning. Without this count, a long list and many short parts after it could cost quadratic
   * time.
   */
  function countItemsAgain(cursor: Cursor, old: T): void {
    if (derive === undefined) return
    for (const value of Object.values(old as Record<string, unknown>)) {
      if (Array.isArray(value)) cursor.spend(value.length)
    }
  }

  function readPart(cursor: Cursor, old: T | undefined): T {
    if (old === undefined || old === zero) return readNested(cursor, { ...template })
    countItemsAgain(cursor, old)
    return readNested(cursor, { ...template, ...old })
  }

  function readNested(cursor: Cursor, value: Record<string, unknown>): T {
    cursor.spend(ITEMS_OF_MESSAGE)
    const length = cursor.length()
    const outer = cursor.end
    cursor.end = cursor.pos + length
    const read = readFields(cursor, value)
    cursor.end = outer
    return read
  }

  return {
    typeName,
    shape,
    jsonMembers: fields.filter(({ field }) => !field.json.isHidden),
    wireType: WIRE.bytes,
    zero,
    isZero: () => false,
    write: (writer, value) => {
      writer.begin()
      writeFields(writer, value)
      writer.end()
    },
    read: (cursor) => readNested(cursor, { ...template }),
    merge: readPart,
    encode: (value) => {
      const writer = new Writer()
      writeFields(writer, value)
      return writer.finish()
    },
    encodeDelimited: (value) => {
      const writer = new Writer()
      writer.begin()
      writeFields(writer, value)
      writer.end()
      return writer.finish()
    },
    decode: (bytes, limits) => {
      const cursor = new Cursor(bytes, limits?.maxItems)
      const value = readFields(cursor, { ...template })
      limits?.onItems?.(cursor.items())
      return value
    },
    create: (given) => {
      const value = { ...template, ...given } as T
      return derive === undefined ? value : { ...value, ...derive(value), ...given }
    },
    toJson: (value) => {
      const result: Record<string, Json> = {}
      for (const { key, name, field } of fields) {
        const member = field.json.write((value as Record<string, unknown>)[key])
        if (member !== undefined) result[name] = member
      }
      return result
    },
    fromJson: (json, path = '') => {
      if (!isJsonObject(json)) throw jsonError(path, `an object (${typeName})`)
      const value = { ...template }
      for (const { key, name, field } of fields) {
        const member = json[name]
        if (member !== undefined) value[key] = field.json.read(member, path === '' ? name : `${path}.${name}`)
      }
      return finish(value)
    },
  }
}

/** Makes the schema of a message that only wraps a oneof, `sum`. Its JSON is the JSON of the oneof itself. */
/* @__NO_SIDE_EFFECTS__ */
export function unwrapped<V>(
  schema: MessageSchema<{ readonly sum: V }>,
  sum: Field<V>,
): MessageSchema<{ readonly sum: V }> {
  return {
    ...schema,
    onlyField: sum as Field<unknown>,
    toJson: (value) => sum.json.write(value.sum) as JsonObject,
    fromJson: (json, path = '') => ({ sum: sum.json.read(json, path) }),
  }
}
