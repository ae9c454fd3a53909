import { createSeededRandom } from '@org/runtime'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BitSet, bitSetFrom, bitSetFromWords, isBitWordsValid, parseBitSet } from './bit-set.ts'

const bits = fc.string({ unit: fc.constantFrom('x', '_'), maxLength: 200 })
const read = (text: string): BitSet => parseBitSet(text) as BitSet

describe('BitSet', () => {
  test('default: a set becomes text and words, and both read back equal', () => {
    fc.assert(
      fc.property(bits, (text) => {
        const set = read(text)
        expect(set.toString()).toBe(text)
        expect(isBitWordsValid(set.toWords())).toBe(true)
        expect(bitSetFromWords(set.toWords()).equals(set)).toBe(true)
        expect([...set.indexes()]).toEqual(text.split('').flatMap((char, i) => (char === 'x' ? [i] : [])))
        expect(set.count()).toBe([...set.indexes()].length)
        expect(set.isEmpty()).toBe(!text.includes('x'))
        expect(set.isFull()).toBe(!text.includes('_'))
      }),
    )
  })

  test("behavior: operations equal those on each bit, with the reference's lengths", () => {
    fc.assert(
      fc.property(bits, bits, (a, b) => {
        const [x, y] = [read(a), read(b)]
        const each = (size: number, f: (i: number) => boolean) => bitSetFrom(size, f).toString()
        expect(x.or(y).toString()).toBe(each(Math.max(a.length, b.length), (i) => x.get(i) || y.get(i)))
        expect(x.and(y).toString()).toBe(each(Math.min(a.length, b.length), (i) => x.get(i) && y.get(i)))
        expect(x.sub(y).toString()).toBe(each(a.length, (i) => x.get(i) && !y.get(i)))
        expect(x.not().toString()).toBe(each(a.length, (i) => !x.get(i)))
        expect(x.toString()).toBe(a)
      }),
    )
  })

  test('behavior: pick finds each set bit and only those', () => {
    const set = read('_x__x_____________________________________x')
    const random = createSeededRandom(7)
    const seen = new Set(Array.from({ length: 200 }, () => set.pick(random)))
    expect(seen).toEqual(new Set([1, 4, 42]))
    expect(new BitSet(5).pick(random)).toBeUndefined()
  })

  test('error: refuses an index out of range, an invalid text and words that do not fit', () => {
    const set = new BitSet(3)
    expect(set.set(3, true)).toBe(false)
    expect(set.get(3)).toBe(false)
    expect(parseBitSet('x-')).toBeUndefined()
    expect(isBitWordsValid({ bits: 65, elems: [1n] })).toBe(false)
    expect(isBitWordsValid({ bits: -1, elems: [] })).toBe(false)
    expect(bitSetFromWords({ bits: 2 ** 40, elems: [1n] }).size).toBe(64)
    expect(bitSetFromWords({ bits: 3, elems: [0xffn] }).count()).toBe(3)
  })
})
