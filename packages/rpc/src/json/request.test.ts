import { describe, expect, test } from 'vitest'
import { decodeBase64 } from './base64.ts'
import { decodeHex } from './hex.ts'
import { quoteText } from './quote.ts'
import { batchOf, requestOf } from './request.ts'

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

  test('behavior: keys without regard to case, the last one wins', () => {
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
    ['{"method":5,"jsonrpc":5}', 'json: cannot unmarshal number into Go struct field .method of type string'],
    ['5', 'json: cannot unmarshal number into Go value of type struct {'],
  ])('error: %s', (text, message) => expect(() => requestOf(text)).toThrow(message))

  test('behavior: a batch, unless one of it is none', () => {
    expect(batchOf('[{"id":1,"method":"a"},null,{}]')?.length).toBe(3)
    expect(batchOf('null')).toEqual([])
    expect(batchOf('[5]')).toBeUndefined()
    expect(batchOf('{}')).toBeUndefined()
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
