import { expect, test } from 'vitest'
import { wrapSignature } from '../src/api/wrap-signature.ts'

test('default: each parameter of a long signature gets its own line', () => {
  const text =
    'function createFile<K extends Map<string, (a: number) => void>>(name: string, options: {\n  readonly size: number;\n}, done?: (error: Error, code: number) => void): Promise<void>;'
  expect(wrapSignature(text)).toBe(`function createFile<K extends Map<string, (a: number) => void>>(
  name: string,
  options: {
    readonly size: number;
  },
  done?: (error: Error, code: number) => void,
): Promise<void>;`)
})

test.each([
  'function add(a: number, b: number): number;',
  `function now(): ${'Promise<'.repeat(20)}void${'>'.repeat(20)};`,
  `interface ${'Long'.repeat(40)} {\n  (a: number, b: number): number;\n}`,
])('behavior: wrapSignature does not change %s', (text) => {
  expect(wrapSignature(text)).toBe(text)
})
