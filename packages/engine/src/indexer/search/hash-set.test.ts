import { sha256 } from '@org/types/crypto'
import { describe, expect, it } from 'vitest'
import { HashSet } from './hash-set.ts'

const decoder = new TextDecoder()
/** Decodes a hash as text. About half of its bytes are lost, because they are not UTF-8. */
const hash = (n: number): string => decoder.decode(sha256(Uint8Array.of(n >> 16, n >> 8, n)))

describe('HashSet', () => {
  it('default: returns each of many hashes once', () => {
    const set = new HashSet()
    for (let n = 0; n < 50_000; n++) expect(set.addText(hash(n))).toBe(true)
    for (let n = 0; n < 50_000; n++) expect(set.addText(hash(n))).toBe(false)
    expect([set.size, set.hasText(hash(1)), set.hasText(hash(50_000))]).toEqual([50_000, true, false])
    expect([set.hasText(''), set.addText(''), set.addText('')]).toEqual([false, true, false])
  })
})
