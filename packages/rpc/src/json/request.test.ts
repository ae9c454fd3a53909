import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase64, plainBase64 } from './base64.ts'
import { decodeHex } from './hex.ts'
import { quoteText } from './quote.ts'
import { batchOf, commonRequestOf, requestOf } from './request.ts'
import { scanFirst, scanWhole } from './scan.ts'
import { bytesFromJson } from './values.ts'

describe('requests', () => {
  test.each([
    ['1', '1'],
    ['-1.9', '-1'],
    ['1e3', '1000'],
    ['1e30', '-9223372036854775808'],
    ['9007199254740993', '9007199254740992'],
    ['"a<b"', '"a\\u003cb"'],
    ['""', '""'],
    ['null', undefined],
  ])('default: id %s', (id, shown) => {
    expect(requestOf(`{"id":${id},"method":"a"}`)).toEqual({ id: shown, method: 'a', params: '' })
  })

  test('behavior: keys are read without regard to case, and the last key wins', () => {
    expect(requestOf('{"ID":1,"Method":"a","method":"b","PARAM\u00c5\u00bf":[1],"params":[2]}')).toEqual({
      id: '1',
      method: 'b',
      params: '[2]',
    })
    expect(requestOf('{"id":1,"param\u00c5\u00bf":[1]}').params).toBe('[1]')
  })

  test.each([
    ['{"id":[1,"a",{"b":1e21}]}', 'json-rpc ID ([1 a map[b:1e+21]]) is of unknown type ([]interface {})'],
    ['{"id":true}', 'json-rpc ID (true) is of unknown type (bool)'],
    ['{"id":1e999}', 'json: cannot unmarshal number 1e999 into Go struct field .id of type float64'],
    [
      '{"id":{"a":1,"b":["9e999",-2e400]}}',
      'json: cannot unmarshal number -2e400 into Go struct field .id of type float64',
    ],
    ['{"method":5,"jsonrpc":5}', 'json: cannot unmarshal number into Go struct field .method of type string'],
    ['5', 'json: cannot unmarshal number into Go value of type struct {'],
  ])('error: %s', (text, message) => expect(() => requestOf(text)).toThrow(message))

  test('behavior: reads a batch if each element is a request', () => {
    expect(batchOf('[{"id":1,"method":"a"},null,{}]', 10)?.length).toBe(3)
    expect(batchOf('null', 10)).toEqual([])
    expect(batchOf('[5]', 10)).toBeUndefined()
    expect(batchOf('{}', 10)).toBeUndefined()
  })
})

describe('bytes', () => {
  test.each([
    ['A', 0],
    ['AA', 0],
    ['AAA', 0],
    ['AA=', 3],
    ['AA=A', 2],
    ['====', 0],
    ['A===', 1],
    ['AA==A', 4],
    ['AAAA*', 4],
    ['AAAAA', 4],
    ['AA\n=', 4],
  ])('error: base64 %j', (text, at) => {
    expect(() => decodeBase64(text)).toThrow(`illegal base64 data at input byte ${at}`)
  })

  test.each([
    ['0', 'encoding/hex: odd length hex string'],
    ['0g', "encoding/hex: invalid byte: U+0067 'g'"],
    ['g', "encoding/hex: invalid byte: U+0067 'g'"],
    ['\u0001\u0001', 'encoding/hex: invalid byte: U+0001'],
  ])('error: hex %j', (text, message) => expect(() => decodeHex(text)).toThrow(message))

  test.each([
    ['a"b\\', '"a\\"b\\\\"'],
    ['\u0000\n\u007f', '"\\x00\\n\\x7f"'],
    ['\u00c3\u00a9\u00ff', '"\u00e9\\xff"'],
    ['\u00e2\u0080\u008b', '"\\u200b"'],
  ])('default: quoted %j', (text, quoted) => expect(quoteText(text)).toBe(quoted))
})

describe('the usual form', () => {
  const usual = (id: string, params: string, space = ''): string =>
    `{"jsonrpc":${space}"2.0","id":${space}${id},"method":${space}"broadcast_tx_sync","params":${space}${params}}`

  test.each([
    usual('1', '{"tx":"a2V5PXZhbHVl"}'),
    usual('"a-7"', '{"tx":"a2V5PXZhbHVl"}', ' '),
    usual('0', '{}'),
    `${usual('12', '[]')}\r\n`,
  ])('default: %s is read at once', (text) => {
    expect(commonRequestOf(text)).toEqual(requestOf(scanWhole(text)))
  })

  test('behavior: reads the same as the full reader, or leaves the text to it', () => {
    const piece = fc.constantFrom(...'{}[]":, \n\\0aé\u00a0', '-', '1e3', 'null', 'tx', '"id"', 'params', '2.0')
    const changes = fc.array(fc.record({ at: fc.nat(), cut: fc.nat({ max: 3 }), put: piece }), { maxLength: 2 })
    const start = fc.constantFrom(usual('1', '{"tx":"YWI="}'), usual('"x"', '[]', ' '), usual('7', '{}'))
    fc.assert(
      fc.property(start, changes, (text, list) => {
        let changed = text
        for (const { at, cut, put } of list) {
          const place = at % (changed.length + 1)
          changed = changed.slice(0, place) + put + changed.slice(place + cut)
        }
        const request = commonRequestOf(changed)
        if (request === undefined) return
        expect(request).toEqual(requestOf(scanWhole(changed)))
        expect(request).toEqual(requestOf(scanFirst(changed)))
      }),
      { numRuns: 2000 },
    )
  })

  test('behavior: reads base64 as the full reader does, or leaves the text to it', () => {
    const text = fc.oneof(
      fc.base64String(),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.string({ unit: fc.constantFrom(...'ABab01+/=-_\n é'), maxLength: 12 }),
    )
    fc.assert(
      fc.property(text, (body) => {
        const plain = plainBase64(`"${body}"`)
        if (plain !== undefined) expect(plain).toEqual(decodeBase64(body))
      }),
      { numRuns: 2000 },
    )
    expect(plainBase64('"YWI="')).toEqual(Uint8Array.of(97, 98))
    expect(plainBase64('"YR=="')).toBeUndefined()
    expect(bytesFromJson('"YR=="', 'types.Tx')).toEqual(Uint8Array.of(97))
  })
})
