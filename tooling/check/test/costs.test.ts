import { expect, test } from 'vitest'
import { findCosts } from '../src/costs.ts'

test('behavior: bigints of texts, powers, shifts and spreads are found, each with its line', () => {
  const text = [
    'const a = BigInt(text)',
    'const b = 10n ** power',
    'const c = value << BigInt(bits)',
    'list.push(...more)',
    'new Set(...lists)',
    "const d = BigInt(text || '0')",
  ].join('\n')
  expect(findCosts('a.ts', text).map(({ line, kind, text: found }) => [line, kind, found])).toEqual([
    [1, 'bigint', 'BigInt(text)'],
    [2, 'power', '10n ** power'],
    [3, 'power', 'value << BigInt(bits)'],
    [3, 'bigint', 'BigInt(bits)'],
    [4, 'spread', 'list.push(...more)'],
    [5, 'spread', 'new Set(...lists)'],
    [6, 'bigint', "BigInt(text || '0')"],
  ])
})

test('behavior: constants, numbers and spreads into a list are no faults', () => {
  const text = 'const a = 2n ** 63n, b = BigInt(list.length), c = [...list], d = BigInt(x as number), e = 1 << bits'
  expect(findCosts('a.ts', text)).toEqual([])
})
