import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from '@org/types/bytes'
import { formatTime, parseTime, ZERO_TIME } from '@org/types/time'
import { snakeCase } from '../json/snake-case.ts'
import { RPC_CLIENT_ERRORS, RpcClientError } from './errors.ts'

/**
 * The shapes by name. A shape describes an object: it is a text that lists the members of the object, in the notation
 * of `table.ts`.
 */
export type Shapes = Readonly<Record<string, string>>

export interface Forms {
  /**
   * Reads a value from the JSON of an answer. `form` describes the value in the notation of `table.ts`. Throws
   * `RPC_CLIENT_SHAPE` if the JSON does not have this form.
   */
  readonly decode: (form: string, json: unknown) => unknown
  /**
   * Returns the JSON of a value. `form` describes the value in the notation of `table.ts`. Members that the value does
   * not have are left out.
   */
  readonly encode: (form: string, value: unknown) => unknown
  /** Parses the text of a form, such as `Commit?` or `B[]`, in the notation of `table.ts`. */
  readonly formOf: (text: string) => Form
  /** Returns the members of a shape. `name` is a name in {@link Shapes}. */
  readonly members: (name: string) => readonly Member[]
  /** Returns true if the shape with this name is a union: a value has exactly one of its members. */
  readonly isUnion: (name: string) => boolean
}

type Members = Readonly<Record<string, unknown>>
type Key = { readonly type: string; readonly bytes: Uint8Array }

interface Leaf {
  readonly zero: unknown
  /** Reads the value. Returns `undefined` for JSON that is not of this type. */
  readonly decode: (json: unknown) => unknown
  readonly encode: (value: never) => unknown
}

/**
 * A parsed form, which describes one value. For example, the text `B[]` describes a list of byte strings in base64. For
 * this text, `inner` is `B`, and the mark `mark` is `[]`. Other texts have the mark `?` or `!`, or no mark.
 *
 * `inner` is a letter from the list in `table.ts`, or the name of a shape. If `inner` is a letter other than `+`,
 * `leaf` has the functions that read and write the value. If `inner` is `+` or a shape, `leaf` is `undefined`.
 */
export interface Form {
  readonly inner: string
  readonly mark: string
  readonly leaf: Leaf | undefined
}

export interface Member {
  readonly key: string
  readonly name: string
  readonly form: Form
}

/**
 * The path to a value in an answer, such as `result.block`, for error messages. `undefined` if no path is recorded: an
 * answer is first read without paths, and again with paths only if it is invalid.
 */
type Path = string | undefined

const EMPTY = new Uint8Array(0)
const same = (value: unknown): unknown => value
const isObject = (json: unknown): json is Members => typeof json === 'object' && json !== null && !Array.isArray(json)
const textTo =
  <T>(parse: (text: string) => T) =>
  (json: unknown): T | undefined =>
    typeof json === 'string' ? parse(json) : undefined
const bigintOf = textTo((text) => (/^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined))
/**
 * Makes the functions that read and write an integer of 32 bits. `fit` cuts an integer to 32 bits. If the cut changes
 * the integer, the integer is outside the range of its type and is refused, as in the reference. In protobuf, and so in
 * a hash, it would have the same bytes as an integer within the range.
 */
const integer32 = (fit: (value: number) => number): Leaf => ({
  zero: 0,
  decode: (json) => (Number.isInteger(json) && fit(json as number) === json ? json : undefined),
  encode: same,
})
/** Makes the functions that read and write an integer of 64 bits. Refuses integers as {@link integer32} does. */
const integer64 = (fit: (value: bigint) => bigint): Leaf => ({
  zero: 0n,
  decode: (json) => {
    const value = bigintOf(json)
    return value !== undefined && fit(value) === value ? value : undefined
  },
  encode: String,
})
const base64Of = textTo(base64ToBytes)
const primitive = (type: string, zero: unknown): Leaf => ({
  zero,
  // A string may have lone surrogates, which represent bytes that were not UTF-8. `toWellFormed` replaces each of them
  // by U+FFFD.
  decode: (json) => (typeof json === type ? (type === 'string' ? (json as string).toWellFormed() : json) : undefined),
  encode: same,
})

const KEYS: Readonly<Record<string, string>> = { ed25519: 'Ed25519', secp256k1: 'Secp256k1' }
/** The names of the key types in the form `P`, which is the JSON of the protobuf message `PublicKey`. */
const PROTO_KEYS: Readonly<Record<string, string>> = { ed25519: 'Ed25519', secp256k1: 'Secp256K1' }
const keyType = (prefix: string, tag: unknown): string | undefined =>
  Object.keys(KEYS).find((type) => `${prefix}${KEYS[type]}`.toLowerCase() === String(tag).toLowerCase())
const keyOf = (type: string | undefined, value: unknown): Key | undefined => {
  const bytes = base64Of(value)
  return type === undefined || bytes === undefined ? undefined : { type, bytes }
}
const NO_KEY: Key = { type: 'ed25519', bytes: EMPTY }

/**
 * The functions that read and write a value, by the letter of its form. For example, the letter `t` is the form of a
 * time. `table.ts` has the list of the letters.
 */
const LEAVES: Readonly<Record<string, Leaf>> = {
  s: primitive('string', ''),
  b: primitive('boolean', false),
  i: integer32((value) => value | 0),
  u: integer32((value) => value >>> 0),
  n: {
    zero: 0,
    decode: (json) => {
      const value = Number(bigintOf(json))
      return Number.isSafeInteger(value) ? value : undefined
    },
    encode: String,
  },
  I: integer64((value) => BigInt.asIntN(64, value)),
  U: integer64((value) => BigInt.asUintN(64, value)),
  t: { zero: ZERO_TIME, decode: textTo(parseTime), encode: formatTime },
  x: { zero: EMPTY, decode: textTo(hexToBytes), encode: bytesToHex },
  B: { zero: EMPTY, decode: base64Of, encode: bytesToBase64 },
  j: { zero: null, decode: same, encode: same },
  G: { zero: '', decode: (json) => JSON.stringify(json), encode: (text: string) => JSON.parse(text) },
  K: {
    zero: NO_KEY,
    decode: (json) => (isObject(json) ? keyOf(keyType('tendermint/PubKey', json.type), json.value) : undefined),
    encode: ({ type, bytes }: Key) => ({ type: `tendermint/PubKey${KEYS[type]}`, value: bytesToBase64(bytes) }),
  },
  P: {
    zero: NO_KEY,
    decode: (json) => {
      const sum = isObject(json) ? json.Sum : undefined
      if (sum === null) return NO_KEY
      if (!isObject(sum) || !isObject(sum.value)) return undefined
      const type = keyType('tendermint.crypto.PublicKey_', sum.type)
      return keyOf(type, sum.value[type ?? ''])
    },
    encode: ({ type, bytes }: Key) =>
      bytes.length === 0
        ? { Sum: null }
        : { Sum: { type: `tendermint.crypto.PublicKey_${PROTO_KEYS[type]}`, value: { [type]: bytesToBase64(bytes) } } },
  },
}

function parseForm(text: string): Form {
  const inner = text.replace(/(\[\]|[?!])$/, '')
  return { inner, mark: text.slice(inner.length), leaf: LEAVES[inner] }
}

/**
 * Parses the text of a shape: the members of an object, separated by blanks. Each member is written as `key=name:form`
 * or `key:form`. `key` is its name in a value of the client, `name` is its name in JSON, and `form` describes its
 * value.
 */
function membersOf(shape: string): readonly Member[] {
  return shape
    .split(' ')
    .filter((member) => member !== '')
    .map((member) => {
      const [left = '', form = ''] = member.split(':')
      const [key = '', name = snakeCase(key)] = left.split('=')
      return { key, name, form: parseForm(form) }
    })
}

/** Returns the sum of the powers of a validator set. The JSON of the set has no member for the sum. */
function powerOf(value: Members): bigint {
  const validators = value.validators as readonly { readonly votingPower: bigint }[]
  return validators.reduce((sum, { votingPower }) => sum + votingPower, 0n)
}

const otherShape = (message: string): RpcClientError => new RpcClientError(RPC_CLIENT_ERRORS.shape, message)

/**
 * Creates the functions that read and write the objects that `shapes` describes. The text of a shape is parsed when the
 * shape is used for the first time.
 */
export function createForms(shapes: Shapes): Forms {
  const known = new Map<string, readonly Member[]>()
  const members = (name: string): readonly Member[] => {
    const list = known.get(name) ?? membersOf((shapes[name] as string).replace('|', ''))
    known.set(name, list)
    return list
  }
  const isUnion = (name: string): boolean => shapes[name]?.startsWith('|') === true

  const parsed = new Map<string, Form>()
  const formOf = (text: string): Form => {
    const form = parsed.get(text) ?? parseForm(text)
    parsed.set(text, form)
    return form
  }

  function object(name: string, json: Members, path: Path): unknown {
    const value: Record<string, unknown> = {}
    for (const { key, name: member, form } of members(name))
      value[key] = form.inner === '+' ? powerOf(value) : read(form, json[member], path && `${path}.${member}`)
    return value
  }

  /**
   * Decodes a value that may have one of several shapes. The member `type` of the JSON names the shape of this value.
   */
  function union(name: string, json: Members, path: Path): unknown {
    const found = members(name).find(({ name: tag }) => tag === json.type)
    if (found === undefined) throw otherShape(`${path}: unknown type`)
    return { sum: { case: found.key, value: read(found.form, json.value, path && `${path}.value`) } }
  }

  function single({ inner, leaf }: Form, json: unknown, path: Path): unknown {
    if (leaf !== undefined) {
      const value = leaf.decode(json)
      if (value === undefined) throw otherShape(`${path}: expected another kind of value`)
      return value
    }
    if (!isObject(json)) throw otherShape(`${path}: expected an object`)
    return isUnion(inner) ? union(inner, json, path) : object(inner, json, path)
  }

  function list(form: Form, json: unknown, path: Path): unknown {
    if (!Array.isArray(json)) throw otherShape(`${path}: expected an array`)
    return json.map((item: unknown, i) => read(form, item, path && `${path}[${i}]`))
  }

  function read(form: Form, json: unknown, path: Path): unknown {
    const { inner, mark, leaf } = form
    const isAbsent = json === null || json === undefined
    if (mark === '[]') return isAbsent ? [] : list(formOf(inner), json, path)
    if (!isAbsent || inner === 'j') return single(form, json ?? null, path)
    if (mark === '!') throw otherShape(`${path}: missing`)
    if (mark === '?') return undefined
    return leaf?.zero ?? (isUnion(inner) ? { sum: undefined } : object(inner, {}, path))
  }

  /**
   * First reads the JSON without paths, because the paths of all values would take as much memory as the answer. If the
   * JSON is invalid, reads it again with paths, so that the error names the invalid value.
   */
  function decode(text: string, json: unknown): unknown {
    const form = formOf(text)
    try {
      return read(form, json, undefined)
    } catch {
      return read(form, json, 'result')
    }
  }

  function write({ inner, mark, leaf }: Form, value: unknown): unknown {
    if (value === undefined) return undefined
    if (mark === '[]') return (value as readonly unknown[]).map((item) => write(formOf(inner), item))
    if (leaf !== undefined) return leaf.encode(value as never)
    if (isUnion(inner)) {
      const { sum } = value as { readonly sum?: { readonly case: string; readonly value: unknown } }
      const found = members(inner).find(({ key }) => key === sum?.case)
      return found === undefined ? null : { type: found.name, value: write(found.form, sum?.value) }
    }
    const json: Record<string, unknown> = {}
    for (const { name, key, form } of members(inner)) {
      const written = form.inner === '+' ? undefined : write(form, (value as Members)[key])
      if (written !== undefined) json[name] = written
    }
    return json
  }

  return { decode, encode: (form, value) => write(formOf(form), value), formOf, members, isUnion }
}
