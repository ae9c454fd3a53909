import { type Codec, EMPTY_BYTES, WIRE } from './codec.ts'
import type { Cursor } from './cursor.ts'
import { SCHEMA_ERRORS, SchemaError } from './errors.ts'
import { isJsonObject, type Json, jsonError } from './json.ts'
import type { Writer } from './writer.ts'

/**
 * The number of items that each element of a list counts as. A decoder limits the total number of items in a message.
 */
const ITEMS_OF_ELEMENT = 1

interface WireField {
  readonly number: number
  readonly write: (writer: Writer, value: unknown) => void
  readonly read: (cursor: Cursor, tag: number, old: unknown) => unknown
}

/** The type of a field's value. */
export type FieldType =
  | { readonly kind: 'single' | 'optional' | 'repeated'; readonly codec: Codec<unknown> }
  | { readonly kind: 'oneof'; readonly cases: Cases }
  /** A field that is not on the wire: it is computed from the other fields. */
  | { readonly kind: 'derived' }

/** A member of a message: its number and type on the wire, and its form in JSON. */
export interface Field<T> {
  readonly type: FieldType
  readonly zero: () => T
  /**
   * The form of the field on the wire: one entry for each field number. Only a oneof can have several field numbers.
   */
  readonly wire: readonly WireField[]
  readonly json: {
    readonly name: string | undefined
    /** True if the JSON never contains the member. */
    readonly isHidden: boolean
    /** True if the JSON can be `null` in place of the JSON of the type. */
    readonly isNullable: boolean
    /** True if the JSON of the message can lack the member. */
    readonly isOptional: boolean
    /** Returns the JSON of a value. `undefined` means that the JSON of the message lacks this member. */
    write(this: void, value: T): Json | undefined
    readonly read: (json: Json, path: string) => T
  }
}

/**
 * The value of a repeated field that is absent. It is always this frozen list, so that the JSON codec can distinguish
 * an absent field from an empty list.
 */
export const NO_ITEMS: readonly never[] = Object.freeze([])

export type FieldValue<F> = F extends Field<infer T> ? T : never

/** The form of a field in JSON. These options do not change the bytes of the message. */
export interface FieldOptions {
  /** The name in JSON. Default: the key, in the spelling that the message's `jsonNames` chooses. */
  readonly json?: string
  /** The JSON of an empty value (zero, no element, absent): the value itself (default), `null`, or no member. */
  readonly jsonEmpty?: 'value' | 'null' | 'omit'
  /**
   * The JSON of an absent list field or bytes field. The value of an absent field is the constant {@link NO_ITEMS} or
   * `EMPTY_BYTES`, which represents a nil slice of the reference. Any other list or byte array of length 0 represents
   * an empty slice of the reference. Without the option `jsonNil`, a nil slice has the same JSON as an empty slice.
   */
  readonly jsonNil?: 'null' | 'omit'
  /** True if the JSON does not have this field. */
  readonly jsonHidden?: boolean
}

const isNil = (value: unknown): boolean => value === NO_ITEMS || value === EMPTY_BYTES

interface JsonForm<T> {
  readonly isEmpty: (value: T) => boolean
  readonly write: (value: T) => Json
  readonly read: (json: Json, path: string) => T
}

function jsonOf<T>(options: FieldOptions, { isEmpty, write, read }: JsonForm<T>): Field<T>['json'] {
  const { jsonEmpty = 'value', jsonHidden = false, jsonNil } = options
  return {
    name: options.json,
    isHidden: jsonHidden,
    isNullable: jsonEmpty === 'null' || jsonNil === 'null',
    isOptional: jsonEmpty === 'omit' || jsonNil === 'omit',
    write: (value) => {
      if (jsonHidden) return undefined
      if (jsonEmpty !== 'value' && isEmpty(value)) return jsonEmpty === 'null' ? null : undefined
      if (jsonNil !== undefined && isNil(value)) return jsonNil === 'null' ? null : undefined
      return write(value)
    },
    read,
  }
}

function checkWireType(tag: number, wanted: number): void {
  if ((tag & 7) !== wanted) {
    throw new SchemaError(SCHEMA_ERRORS.wireType, `field ${tag >>> 3} has wire type ${tag & 7}, expected ${wanted}`, {
      data: { field: tag >>> 3 },
    })
  }
}

function singleWire<T>(number: number, codec: Codec<T>, isAbsent: (value: T) => boolean): WireField {
  const tag = (number << 3) | codec.wireType
  return {
    number,
    write: (writer, value) => {
      if (isAbsent(value as T)) return
      writer.uint32(tag)
      codec.write(writer, value as T)
    },
    read: (cursor, seen, old) => {
      checkWireType(seen, codec.wireType)
      return codec.merge === undefined ? codec.read(cursor) : codec.merge(cursor, old as T)
    },
  }
}

/**
 * Defines a field that always has a value. A scalar is not written if it is zero. A message, time or duration is always
 * written.
 */
/* @__NO_SIDE_EFFECTS__ */
export function field<T>(number: number, codec: Codec<T>, options: FieldOptions = {}): Field<T> {
  return {
    type: { kind: 'single', codec },
    zero: () => codec.zero,
    wire: [singleWire(number, codec, codec.isZero)],
    json: jsonOf(options, {
      isEmpty: codec.isZero,
      write: codec.toJson,
      read: (json, path) => (json === null ? codec.zero : codec.fromJson(json, path)),
    }),
  }
}

/**
 * Defines a message or time that may be absent (`undefined`). If it is absent, its JSON is `null`, unless `options`
 * sets another form.
 */
/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(number: number, codec: Codec<T>, options: FieldOptions = {}): Field<T | undefined> {
  return {
    type: { kind: 'optional', codec },
    zero: () => undefined,
    wire: [singleWire<T | undefined>(number, codec as Codec<T | undefined>, (value) => value === undefined)],
    json: jsonOf<T | undefined>(
      { jsonEmpty: 'null', ...options },
      {
        isEmpty: (value) => value === undefined,
        write: (value) => codec.toJson(value as T),
        read: (json, path) => (json === null ? undefined : codec.fromJson(json, path)),
      },
    ),
  }
}

/** Defines a list. Numbers are packed. The JSON of an empty list is `[]`, unless `options` sets another form. */
/* @__NO_SIDE_EFFECTS__ */
export function repeated<T>(number: number, codec: Codec<T>, options: FieldOptions = {}): Field<readonly T[]> {
  const packed = codec.wireType !== WIRE.bytes
  const tag = (number << 3) | (packed ? WIRE.bytes : codec.wireType)
  return {
    type: { kind: 'repeated', codec },
    zero: () => NO_ITEMS,
    wire: [
      {
        number,
        write: (writer, value) => {
          const list = value as readonly T[]
          if (packed && list.length > 0) {
            writer.uint32(tag)
            writer.begin()
            for (const item of list) codec.write(writer, item)
            writer.end()
          } else if (!packed) {
            for (const item of list) {
              writer.uint32(tag)
              codec.write(writer, item)
            }
          }
        },
        read: (cursor, seen, old) => {
          const list: T[] = old === NO_ITEMS ? [] : (old as T[])
          if (packed && (seen & 7) === WIRE.bytes) {
            const stop = cursor.length() + cursor.pos
            while (cursor.pos < stop) {
              cursor.spend(ITEMS_OF_ELEMENT)
              list.push(codec.read(cursor))
            }
          } else {
            checkWireType(seen, codec.wireType)
            cursor.spend(ITEMS_OF_ELEMENT)
            list.push(codec.read(cursor))
          }
          return list
        },
      },
    ],
    json: jsonOf<readonly T[]>(options, {
      isEmpty: (value) => value.length === 0,
      write: (value) => value.map(codec.toJson),
      read: (json, path) => {
        if (json === null) return NO_ITEMS
        if (!Array.isArray(json)) throw jsonError(path, 'an array')
        return json.map((item: Json, index) => codec.fromJson(item, `${path}[${index}]`))
      },
    }),
  }
}

/** The cases of a {@link oneof}, by their names. */
export type Cases = Readonly<Record<string, Case<unknown>>>
export interface Case<T> {
  readonly number: number
  readonly codec: Codec<T>
  /**
   * The `type` in the tagged JSON form of the oneof, such as `tendermint/PubKeyEd25519`. Default: the name that this
   * case has in the oneof.
   */
  readonly tag?: string
}
export type CasesValue<C extends Cases> = {
  readonly [K in keyof C & string]: C[K] extends Case<infer T> ? { readonly case: K; readonly value: T } : never
}[keyof C & string]

/** Defines one case of a {@link oneof}. */
/* @__NO_SIDE_EFFECTS__ */
export function when<T>(number: number, codec: Codec<T>, tag?: string): Case<T> {
  return tag === undefined ? { number, codec } : { number, codec, tag }
}

/**
 * Defines a oneof. Its value is `{ case, value }`, or `undefined` if no case is set. A set case is written even if its
 * value is zero. Its JSON is the reference's tagged form, `{ "type": tag, "value": … }`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function oneof<C extends Cases>(cases: C, options: FieldOptions = {}): Field<CasesValue<C> | undefined> {
  type Value = CasesValue<C>
  const names = Object.keys(cases)
  return {
    type: { kind: 'oneof', cases },
    zero: () => undefined,
    wire: names.map((name) => {
      const { number, codec } = cases[name] as Case<unknown>
      const tag = (number << 3) | codec.wireType
      return {
        number,
        write: (writer, value) => {
          const chosen = value as Value | undefined
          if (chosen?.case !== name) return
          writer.uint32(tag)
          codec.write(writer, chosen.value)
        },
        read: (cursor, seen) => {
          checkWireType(seen, codec.wireType)
          return { case: name, value: codec.read(cursor) }
        },
      }
    }),
    json: jsonOf<Value | undefined>(
      { jsonEmpty: 'null', ...options },
      {
        isEmpty: (value) => value === undefined,
        write: (value) => {
          const { case: name, value: inner } = value as Value
          const { codec, tag } = cases[name] as Case<unknown>
          return { type: tag ?? name, value: codec.toJson(inner) }
        },
        read: (json, path) => {
          if (json === null) return undefined
          const name = isJsonObject(json)
            ? names.find((n) => ((cases[n] as Case<unknown>).tag ?? n) === json.type)
            : undefined
          if (!isJsonObject(json) || name === undefined) throw jsonError(path, 'an object with a known "type"')
          const { codec } = cases[name] as Case<unknown>
          return { case: name, value: codec.fromJson(json.value ?? null, `${path}.value`) } as Value
        },
      },
    ),
  }
}
