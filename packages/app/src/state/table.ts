import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { APP_ERRORS, AppError } from '../errors.ts'
import { fromJsonText, toJsonText } from '../transaction/json.ts'
import type { ReadState, State } from './state.ts'

/** Encodes and decodes the values of a table. */
export interface ValueCodec<T> {
  readonly encode: (value: T) => Uint8Array
  readonly decode: (bytes: Uint8Array) => T
}

/**
 * Creates a codec that writes values as JSON. A bigint is written as a text of digits; use {@link integers} for values
 * that are bigints.
 */
export function json<T>(): ValueCodec<T> {
  return { encode: (value) => utf8ToBytes(toJsonText(value)), decode: (bytes) => fromJsonText(bytesToUtf8(bytes)) as T }
}

/** The codec that writes whole numbers of any size as their digits. */
export const integers: ValueCodec<bigint> = {
  encode: (value) => utf8ToBytes(String(value)),
  decode: (bytes) => BigInt(bytesToUtf8(bytes)),
}

/** A part of the state: values of one type, with texts as their keys. */
export interface Table<T> {
  readonly name: string
  /**
   * Returns the key of an entry in the state, `<name>/<key>`. A client sends this key as the data of a query `/state`,
   * which can return the value with a proof.
   */
  readonly key: (key: string) => Uint8Array
  readonly get: (state: ReadState, key: string) => T | undefined
  readonly set: (state: State, key: string, value: T) => void
  readonly delete: (state: State, key: string) => void
  /** The entries in the order of the UTF-8 bytes of their keys. `prefix` selects the keys that begin with it. */
  readonly entries: (state: ReadState, options?: TableRange) => Iterable<readonly [key: string, value: T]>
  /** Decodes the value in the answer to a query `/state`. Returns `undefined` for empty bytes. */
  readonly decode: (bytes: Uint8Array) => T | undefined
}

/** The keys of a table that an iteration visits, and its direction. */
export interface TableRange {
  readonly prefix?: string
  readonly reverse?: boolean
}

/** Returns the first key after all keys that begin with `prefix`. The last byte of `prefix` must be below 255. */
function firstKeyAfter(prefix: Uint8Array): Uint8Array {
  const end = Uint8Array.from(prefix)
  end[end.length - 1] = (end.at(-1) as number) + 1
  return end
}

/** A table of the state. Its name has letters, digits, `-` and `_`. */
export function createTable<T>(name: string, codec: ValueCodec<T> = json<T>()): Table<T> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    const message = `the name of a table has 1 to 64 letters, digits, - and _, got ${JSON.stringify(name)}`
    throw new AppError(APP_ERRORS.option, message)
  }
  return tableOf(name, codec)
}

/**
 * Creates a table whose name is not checked. The names of the library's own tables begin with `$`, which {@link
 * createTable} refuses.
 */
export function tableOf<T>(name: string, codec: ValueCodec<T>): Table<T> {
  const key = (text: string): Uint8Array => utf8ToBytes(`${name}/${text}`)
  const decode = (bytes: Uint8Array | undefined): T | undefined =>
    bytes === undefined || bytes.length === 0 ? undefined : codec.decode(bytes)
  return {
    name,
    key,
    decode,
    get: (state, text) => decode(state.get(key(text))),
    set: (state, text, value) => state.set(key(text), codec.encode(value)),
    delete: (state, text) => state.delete(key(text)),
    *entries(state, { prefix = '', reverse = false } = {}) {
      const from = key(prefix)
      // UTF-8 has no byte 255, so the last byte of `from` is below 255, as `firstKeyAfter` requires.
      for (const [found, value] of state.entries({ from, before: firstKeyAfter(from), reverse })) {
        yield [bytesToUtf8(found).slice(name.length + 1), codec.decode(value)]
      }
    },
  }
}
