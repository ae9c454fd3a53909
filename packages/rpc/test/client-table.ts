import { Evidence } from '@org/types'
import { ProtoPublicKey, PublicKey } from '@org/types/crypto'
import {
  bool,
  bytes,
  duration,
  type Field,
  hexBytes,
  int32,
  int64,
  type MessageSchema,
  safeInt64,
  safeUint64,
  string,
  time,
  uint32,
  uint64,
} from '@org/types/schema'
import type { Param } from '../src/call/params.ts'
import type { Route } from '../src/call/route.ts'
import type { Form } from '../src/call/type-structure.ts'
import { ROUTES } from '../src/index.ts'
import { snakeCase } from '../src/json/snake-case.ts'

type AnyCodec = { readonly fromJson: unknown; readonly shape?: MessageSchema<unknown>['shape'] }

/** The letter that represents each codec in the generated table. Codecs with the same JSON have the same letter. */
const LETTERS: readonly (readonly [AnyCodec, string])[] = [
  [string, 's'],
  [bool, 'b'],
  [int32, 'i'],
  [uint32, 'u'],
  [safeInt64, 'n'],
  [safeUint64, 'n'],
  [int64, 'I'],
  [uint64, 'U'],
  [duration, 'I'],
  [time, 't'],
  [hexBytes, 'x'],
  [bytes, 'B'],
  [PublicKey as AnyCodec, 'K'],
  [ProtoPublicKey as AnyCodec, 'P'],
]

const shapes = new Map<string, string>()
const named = new Map<unknown, string>()

const member = (key: string, name: string, form: string): string =>
  name === snakeCase(key) ? `${key}:${form}` : `${key}=${name}:${form}`

/**
 * Returns the name of a shape. A shape is the list of the members of a JSON object, such as `hash:x height:n`. The
 * parameter `text` is this list. If a shape with the same text has a name already, returns that name. If the shape is
 * new, gives it the name `wanted`. A number is added to this name if another shape has it.
 */
function nameShape(wanted: string, text: string): string {
  for (const [name, known] of shapes) if (known === text) return name
  let name = wanted
  for (let i = 2; shapes.has(name); i++) name = `${wanted}${i}`
  shapes.set(name, text)
  return name
}

function ofField(schema: MessageSchema<unknown>, key: string, field: Field<unknown>): string {
  const { type } = field
  if (type.kind === 'derived') return `${key}:+`
  const name = schema.jsonMembers.find((one) => one.key === key)?.name
  if (name === undefined) throw new Error(`${schema.typeName}: ${key} is not in JSON`)
  if (type.kind === 'oneof') throw new Error(`${schema.typeName}: ${key} is a oneof`)
  const mark = { single: '', optional: '?', repeated: '[]' }[type.kind]
  return member(key, name, `${ofCodec(type.codec)}${mark}`)
}

function ofMessage(schema: MessageSchema<unknown>): string {
  const wanted = schema.typeName.split('.').at(-1) as string
  const only = schema.onlyField?.type
  if (only?.kind === 'oneof') {
    const cases = Object.entries(only.cases).map(
      ([key, { tag, codec }]) => `${key}=${tag ?? key}:${ofCodec(codec as AnyCodec)}`,
    )
    return nameShape(wanted, `|${cases.join(' ')}`)
  }
  const members = Object.entries(schema.shape).map(([key, field]) => ofField(schema, key, field))
  return nameShape(wanted, members.join(' '))
}

function ofCodec(codec: AnyCodec): string {
  const letter = LETTERS.find(([known]) => known.fromJson === codec.fromJson)?.[1]
  if (letter !== undefined) return letter
  if (codec.shape === undefined) throw new Error('a codec without a letter')
  const name = named.get(codec.fromJson) ?? ofMessage(codec as unknown as MessageSchema<unknown>)
  named.set(codec.fromJson, name)
  return name
}

/** A member must be present unless its JSON may be `null`. */
const isRequired = (form: Form): boolean => {
  const nulls: readonly unknown[] = [bytes.fromJson, PublicKey.fromJson]
  return form.kind === 'object' || (form.kind === 'codec' && !nulls.includes(form.codec.fromJson))
}

function ofForm(form: Form, path: string): string {
  if (form.kind === 'json') return 'j'
  if (form.kind === 'codec') return ofCodec(form.codec as AnyCodec)
  if (form.kind !== 'object') return `${ofForm(form.item, path)}${form.kind === 'list' ? '[]' : '?'}`
  const members = form.members.map(({ key, name, form: inner }) => {
    const text = ofForm(inner, `${path}.${key}`)
    return member(key, name, isRequired(inner) ? `${text}!` : text)
  })
  return nameShape(path, members.join(' '))
}

function ofParam({ schema }: Param<unknown>): string {
  if ('$ref' in schema) return ofCodec(Evidence as unknown as AnyCodec)
  if (schema.type === 'array') return 's[]'
  if (schema.type === 'boolean') return 'b'
  if (schema.contentEncoding === 'base64') return 'B'
  if (schema.pattern === undefined) return 's'
  return String(schema.pattern).includes('0-9a-f') ? 'x' : 'n'
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())

function ofRoute(route: Route): readonly [string, string] {
  const params = route.paramNames.map((name) =>
    member(camel(name), name, ofParam(route.params[name] as Param<unknown>)),
  )
  const { form } = route.result
  return [params.join(' '), form === undefined ? nameShape(route.name, 'genesis:G!') : ofForm(form, route.name)]
}

/** Returns the source text of `src/client/table.ts`, made from the route table and the types. */
export function clientTableSource(): string {
  const methods = (Object.values(ROUTES) as readonly Route[])
    .filter(({ websocketOnly }) => websocketOnly !== true)
    .map((route) => [route.name, ofRoute(route)] as const)
  const quote = (text: string): string => `'${text}'`
  /**
   * Returns the text of an operation's entry in the table `METHODS`: the list of its parameters, and the form of its
   * result. The form of a result is usually the name of a shape. If this name is also the name of the operation, the
   * entry leaves out the form. If the operation then has no parameters either, the entry is empty.
   */
  const entry = (name: string, params: string, result: string): string =>
    result !== name ? `${quote(params)}, ${quote(result)}` : params === '' ? '' : quote(params)
  return `/*
 * Generated from the route table and the schemas of \`@org/types\`. To write it again:
 * \`vitest run packages/rpc/test/client-table.test.ts -u\`.
 *
 * A shape describes an object as a list of members. A member is written as \`key=name:form\`:
 * - \`key\` is the key of the member in a value of the client.
 * - \`name\` is the name of the member in JSON. In the short form \`key:form\`, the name is the key in snake case.
 * - \`form\` describes the value of the member.
 *
 * A form is the name of a shape, or one of these characters:
 * - \`s\`: a text.
 * - \`b\`: a boolean.
 * - \`i\`: an int32.
 * - \`u\`: a uint32.
 * - \`n\`: an integer that is a text in JSON, and a number in the client.
 * - \`I\`: an int64 that is a text in JSON, and a bigint in the client.
 * - \`U\`: the same for a uint64.
 * - \`t\`: a time.
 * - \`x\`: bytes as hex.
 * - \`B\`: bytes as base64.
 * - \`j\`: any JSON.
 * - \`G\`: any JSON, which is a text in the client.
 * - \`K\`: a public key as JSON with its type.
 * - \`P\`: a public key in the JSON of the protobuf message \`PublicKey\`.
 * - \`+\`: the sum of the voting powers of a set of validators. JSON has no member for it, so the client calculates it.
 *
 * A mark may follow the form:
 * - \`[]\`: the value is a list.
 * - \`?\`: the value may be absent, and is then \`undefined\`.
 * - \`!\`: the value must be present.
 *
 * If a value without a mark is absent, the client uses the zero value of the form.
 *
 * If a shape begins with \`|\`, an object has exactly one of the members. In JSON, this object has the members \`type\`
 * and \`value\`: \`type\` is the name of the one member, and \`value\` is its value.
 */

/**
 * The parameters and the result of each operation. If an entry names no result, the shape of the result has the name of
 * the operation.
 */
export const METHODS: Readonly<Record<string, readonly [params?: string, result?: string]>> = {
${methods.map(([name, [params, result]]) => `  ${name}: [${entry(name, params, result)}],`).join('\n')}
}

export const SHAPES: Readonly<Record<string, string>> = {
${[...shapes].map(([name, text]) => `  ${/^\w+$/.test(name) ? name : quote(name)}: ${quote(text)},`).join('\n')}
}
`
}
