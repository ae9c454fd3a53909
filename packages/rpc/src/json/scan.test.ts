import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { binaryOf, binaryOfText, textOfBinary } from './binary.ts'
import { mapOf, textOf } from './decode.ts'
import { JsonSyntaxError, scanFirst, scanValue, scanWhole } from './scan.ts'
import { elementsOf, visitMembers } from './visit.ts'

const END = 'unexpected end of JSON input'

describe('scanWhole', () => {
  test.each([
    ['', END],
    [' ', END],
    ['{', END],
    ['[1', END],
    ['"a', END],
    ['{"a":', END],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e', "invalid character ' ' in exponent of numeric literal"],
    ['-', "invalid character ' ' in numeric literal"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape"],
    ['{a}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['01', "invalid character '1' after top-level value"],
    ['1 x', "invalid character 'x' after top-level value"],
    ['NaN', "invalid character 'N' looking for beginning of value"],
    ['+1', "invalid character '+' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['\u00ef\u00bb\u00bf{}', "invalid character '\u00ef' looking for beginning of value"],
    ['\u0000', "invalid character '\\x00' looking for beginning of value"],
  ])('error: %j', (text, message) => {
    expect(() => scanWhole(text)).toThrow(message)
  })

  test('default: returns the value without blanks around it', () => {
    expect(scanWhole(' \t\r\n{"a":[1,-2.5e+3,"\\u00e9",null,true]} ')).toBe('{"a":[1,-2.5e+3,"\\u00e9",null,true]}')
  })

  test('behavior: accepts what JSON.parse accepts, of ASCII', () => {
    const pieces = [...'{}[]",:0123456789.eE+-\\/ \nabfnrtu', 'true', 'false', 'null', '"a"', '"b":', '\\u00e9']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        if (parses) expect(scanWhole(text)).toBe(text.replace(/^[ \n]+|[ \n]+$/g, ''))
        else expect(() => scanWhole(text)).toThrow(JsonSyntaxError)
      }),
      { numRuns: 5000 },
    )
  })

  test('behavior: any JSON value comes back from its elements and members', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const raw = scanWhole(binaryOfText(JSON.stringify(value)))
        const keysOf = (text: string): string[] => {
          const keys: string[] = []
          visitMembers(text, Number.POSITIVE_INFINITY, (key) => keys.push(textOf(key as string)))
          return keys
        }
        const rebuild = (text: string): unknown => {
          if (text.startsWith('[')) return elementsOf(text).map(rebuild)
          if (text.startsWith('{'))
            return Object.fromEntries([...mapOf(text, keysOf(text))].map(([key, member]) => [key, rebuild(member)]))
          return text.startsWith('"') ? textOf(text) : JSON.parse(text)
        }
        expect(JSON.stringify(rebuild(raw))).toBe(
          JSON.stringify(JSON.parse(JSON.stringify(value).replace(/\\ud[89a-f]../g, '\ufffd'))),
        )
      }),
    )
  })

  test('error: nesting deeper than Go allows is refused without using the stack', () => {
    expect(scanWhole('['.repeat(10_000) + ']'.repeat(10_000)).length).toBe(20_000)
    expect(() => scanWhole('['.repeat(10_001) + ']'.repeat(10_001))).toThrow('exceeded max depth')
    expect(() => scanWhole('{"a":'.repeat(100_000))).toThrow('exceeded max depth')
  })

  test('behavior: reads a megabyte of digits', () => {
    expect(scanWhole('1'.repeat(1_000_000)).length).toBe(1_000_000)
  })
})

describe('scanFirst', () => {
  test.each([
    ['{"a":1} x', '{"a":1}'],
    ['5 6', '5'],
    ['"a""b"', '"a"'],
  ])('default: %j', (text, value) => expect(scanFirst(text)).toBe(value))

  test.each([
    ['', 'EOF'],
    [' \n', 'EOF'],
    ['{', 'unexpected EOF'],
    ['tru', 'unexpected EOF'],
  ])('error: %j', (text, message) => expect(() => scanFirst(text)).toThrow(message))

  test('behavior: reports where a value ends', () => expect(scanValue(' [1] ', 0)).toBe(4))
})

describe('text', () => {
  test.each([
    ['"a\\n\\/\\u0041"', 'a\n/A'],
    ['"\\ud83d\\ude00"', '\u{1f600}'],
    ['"\\ud83dx"', '\ufffdx'],
    ['"\\ud83d\\u0041"', '\ufffdA'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\u00c3\u00a9"', '\u00e9'],
    ['"\u00ff\u00e2\u0098"', '\ufffd\ufffd\ufffd'],
  ])('default: %j', (raw, text) => expect(textOf(raw)).toBe(text))

  test('behavior: UTF-8 reads back equal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const wellFormed = text.toWellFormed()
        expect(textOfBinary(binaryOfText(wellFormed))).toBe(wellFormed)
        expect(textOfBinary(binaryOf(new TextEncoder().encode(text)))).toBe(wellFormed)
      }),
    )
  })
})
