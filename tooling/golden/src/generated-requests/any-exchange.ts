import fc from 'fast-check'
import type { Exchange } from '../replay/sender.ts'
import { generated, posted } from './generated.ts'

/** An operation of the RPC for which the test makes requests. */
export interface CallableOperation {
  readonly name: string
  readonly paramNames: readonly string[]
}

/** Arguments in the form of JSON, some valid and some invalid. */
const JSON_VALUES = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '53',
  '75',
  '76',
  '-1',
  '1.5',
  '1e2',
  '1E+2',
  '007',
  '99999999999999999999',
  '"0"',
  '"1"',
  '"53"',
  '"75"',
  '"76"',
  '"77"',
  '"-1"',
  '" 5"',
  '"5 "',
  '"+5"',
  '"1.0"',
  '"1e1"',
  '"null"',
  '"true"',
  '"\\"5\\""',
  '"9223372036854775807"',
  '"9223372036854775808"',
  '"-9223372036854775808"',
  '""',
  '"a"',
  '"abc"',
  '"0x1"',
  '"0xab"',
  '"zz"',
  '"YWJj"',
  '"YWJ"',
  '"YW=="',
  '"YQ=="',
  '"=="',
  '"Y Q=="',
  '"YQ\\n=="',
  '"é"',
  '"\\u00e9"',
  '"\\ud83d"',
  '"\\ud83d\\ude00"',
  '"<&>"',
  '"ABAB"',
  '"abab"',
  '"aba"',
  '[]',
  '[1]',
  '[1,2,300]',
  '[-1]',
  '[1.5]',
  '[null]',
  '["a"]',
  '[[]]',
  '{}',
  '{"a":1}',
  '{"type":"x","value":1}',
  '[1,]',
  '{"a"}',
  '{a:1}',
  '"',
  "'a'",
  'nul',
  'tru',
  'truex',
  '1x',
  '"\\x"',
  '"\\u12"',
  '"a\nb"',
  '',
] as const

const URI_VALUES = [
  ...JSON_VALUES,
  '0x',
  '0X',
  '0x1',
  '0xAB',
  '0xzz',
  'abc',
  '%',
  '%2',
  '%zz',
  '%20',
  '+',
  '%2B5',
  '5%20',
  ';',
  '%00',
  '%ff',
  '%c3%a9',
  '"%ff"',
  '0xff',
  'A',
  'null ',
] as const

const IDS = [
  '1',
  '-1',
  '0',
  '1.9',
  '-1.9',
  '1e3',
  '1e30',
  '1e400',
  '"a"',
  '""',
  '"<é>"',
  'null',
  'true',
  '[1,"a",null,{}]',
  '{"a":1e21,"b":[0.00001]}',
] as const

const oneOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

const callOf = (routes: readonly CallableOperation[]) =>
  oneOf(routes).chain((route) =>
    fc.record({
      route: fc.constant(route),
      names: fc.subarray([...route.paramNames, 'other']),
      uriValues: fc.array(oneOf(URI_VALUES), { minLength: 8, maxLength: 8 }),
      jsonValues: fc.array(oneOf(JSON_VALUES), { minLength: 8, maxLength: 8 }),
      id: oneOf(IDS),
      form: oneOf(['named', 'positional', 'exact', 'raw', 'absent'] as const),
    }),
  )

type Calls = ReturnType<typeof callOf>

/** Escapes the characters that a request line must not contain. */
const escapeBlank = (text: string): string => text.replace(/[\n #é<>]/g, (char) => encodeURIComponent(char))

const uriOf = (call: Calls) =>
  fc
    .record({ call, method: oneOf(['GET', 'GET', 'GET', 'POST', 'HEAD', 'DELETE']) })
    .map(({ call: { route, names, uriValues }, method }) => {
      const query = names.map((name, i) => `${name}=${escapeBlank(uriValues[i] as string)}`).join('&')
      return { method, path: `/${route.name}${query === '' ? '' : `?${query}`}` }
    })

const bodyOf = (call: Calls) =>
  call.map(({ route, names, jsonValues, id, form }) => {
    const head = `{"jsonrpc":"2.0","id":${id},"method":"${route.name}"`
    const values = names.map((name, i) => `"${name}":${jsonValues[i]}`)
    switch (form) {
      case 'named':
        return `${head},"params":{${values.join(',')}}}`
      case 'positional':
        return `${head},"params":[${jsonValues.slice(0, names.length).join(',')}]}`
      case 'exact':
        return `${head},"params":[${jsonValues.slice(0, route.paramNames.length).join(',')}]}`
      case 'raw':
        return `${head},"params":${jsonValues[0]}}`
      default:
        return `${head}}`
    }
  })

const CHARS = [...'{}[]",:\\ \tnull0123xé\u0001']

/** Makes texts in which one character is added, removed or replaced. */
const mutated = (texts: fc.Arbitrary<string>, chars: readonly string[]): fc.Arbitrary<string> =>
  fc
    .record({ text: texts, at: fc.nat(), char: oneOf(chars), kind: oneOf(['insert', 'delete', 'replace']) })
    .map(({ text, at, char, kind }) => {
      const place = at % text.length
      return text.slice(0, place) + (kind === 'delete' ? '' : char) + text.slice(kind === 'insert' ? place : place + 1)
    })

const batchOf = (body: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof(body, body, oneOf(['null', '{}', '5', '[]'])), { maxLength: 4 })
    .map((items) => `[${items.join(',')}]`)

/** Makes requests for these operations, over HTTP or WebSocket. Some requests are invalid. */
export function anyExchange(routes: readonly CallableOperation[]): fc.Arbitrary<Exchange> {
  const call = callOf(routes)
  const body = bodyOf(call)
  const broken = mutated(body, CHARS)
  return fc.oneof(
    uriOf(call).map((request) => ({ ...generated, transport: 'uri' as const, request })),
    fc.oneof(body, body, broken, batchOf(body)).map(posted),
    fc.oneof(body, broken).map((text) => ({ ...generated, transport: 'ws' as const, request: { frames: [text] } })),
  )
}
