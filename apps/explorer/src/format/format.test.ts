import { expect, test } from 'vitest'
import { brief, bytesOfHex, jsonOf, textOf, visible } from './bytes.ts'
import { curlOf } from './curl.ts'
import { indentedJson, indentedText } from './json.ts'
import { median, percentText, shortNumber, sizeText } from './numbers.ts'
import { ageText, durationText, intervalText, scaleOf, timeText } from './times.ts'
import { givenBytes, hashOf, heightOf } from './user-input.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('behavior: characters that are invisible or change the direction of a text are written as numbers', () => {
  expect(visible('abc\u202edcba\u0000')).toBe('abc\\u202edcba\\u0000')
  expect(visible('\u{e0041}\u00ad\u3164\ufeff')).toBe('\\u{e0041}\\u00ad\\u3164\\ufeff')
  expect(brief('a\u200bbc', 3)).toBe('a\\u200bb…')
  expect(visible('zeile\nänder 🚀\t')).toBe('zeile\nänder 🚀\t')
})

test('default: bytes are shown as text or JSON only if they are valid UTF-8 or JSON', () => {
  expect(textOf(Uint8Array.of(0xff, 0xfe))).toBeUndefined()
  expect(textOf(bytes('name=a'))).toBe('name=a')
  expect(jsonOf(bytes('{"a":[1]}'))).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(jsonOf(bytes('{"a":'))).toBeUndefined()
  expect(jsonOf(bytes('5'))).toBeUndefined()
  expect(jsonOf(bytes(`[${'1,'.repeat(200_000)}1]`))).toBeUndefined()
})

test('behavior: JSON with many nested levels is not indented, because it would be much longer', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const many = `[${Array.from({ length: 30 }, () => nested(2000)).join(',')}]`
  expect(jsonOf(bytes(many))?.length).toBe(many.length)
  expect(indentedText(nested(33))).toBe(nested(33))
  expect(indentedText('[{"a":[1]}]')).toBe('[\n  {\n    "a": [\n      1\n    ]\n  }\n]')
  expect(indentedText('[1')).toBeUndefined()
  expect(() => indentedJson(JSON.parse(nested(200_000)))).not.toThrow()
})

test('default: bytes that a person writes as hex, base64 or text are read', () => {
  expect(givenBytes('0x6E61', 'hex')).toEqual(bytes('na'))
  expect(givenBytes('bmE=', 'base64')).toEqual(bytes('na'))
  expect(givenBytes('na', 'text')).toEqual(bytes('na'))
  expect(() => givenBytes('6e6', 'hex')).toThrow('an even number of hex digits')
  expect(() => givenBytes('?', 'base64')).toThrow('base64 is expected')
  expect(bytesOfHex('zz')).toBeUndefined()
})

test('behavior: a quote in a call does not end the quoted text of the shell command', () => {
  const command = curlOf('http://host', { method: 'tx_search', params: { query: "a='b'; rm -rf ~" } })
  expect(command).toContain(String.raw`"query":"a='\''b'\''; rm -rf ~"`)
})

test('default: numbers and times are written in short forms', () => {
  expect([999, 1536, 2_000_000].map(sizeText)).toEqual(['999 B', '1.54 kB', '2 MB'])
  expect([0, 2.4e-9, 0.02461, 12.345, 1234.5].map(shortNumber)).toEqual(['0', '< 0.001', '0.0246', '12.3', '1,235'])
  expect(percentText(1, 3)).toBe('33.3 %')
  expect([median([3, 1, 900]), median([])]).toEqual([3, Number.NaN])
  expect([10, 11, 43, 60, 100, 101, 3000].map(scaleOf)).toEqual([10, 20, 50, 100, 100, 200, 5000])
  expect([12, 1500, 90_000, 7_200_000, 400_000_000].map(durationText)).toEqual([
    '12 ms',
    '1.5 s',
    '1.5 min',
    '2 h',
    '4.6 days',
  ])
  expect([1049, 9_994, 850, 12_000].map(intervalText)).toEqual(['1.05 s', '9.99 s', '850 ms', '12 s'])
  expect(ageText(10_000_000_000n, 10_500)).toBe('now')
  expect(ageText(10_000_000_000n, 70_000)).toBe('1 min ago')
  expect(ageText(70_000_000_000n, 10_000)).toBe('now')
  expect(timeText(1_795_540_146_363_000_000n)).toBe('2026-11-24 17:09:06.363 UTC')
})

test('error: a text that is not a height or a hash is refused, and the message says what is expected', () => {
  expect(heightOf('12')).toBe(12)
  for (const text of ['', '0', '-5', '1.5', 'abc', '9007199254740993', '1e3'])
    expect(() => heightOf(text), text).toThrow('is not a height: a whole number from 1 is expected')
  expect(hashOf('AB'.repeat(32))).toEqual(new Uint8Array(32).fill(0xab))
  for (const text of ['', 'zz', 'abcd']) expect(() => hashOf(text), text).toThrow('64 hex digits are expected')
})
