import { sha256 } from '@org/types/crypto'
import { describe, expect, it } from 'vitest'
import { HashSet } from './hash-set.ts'

const hash = (n: number): Uint8Array => sha256(Uint8Array.of(n >> 16, n >> 8, n))

describe('HashSet', () => {
  it('default: many hashes, each once', () => {
    const set = new HashSet()
    for (let n = 0; n < 50_000; n++) expect(set.add(hash(n))).toBe(true)
    for (let n = 0; n < 50_000; n++) expect(set.add(hash(n))).toBe(false)
    expect([set.size, set.has(hash(1)), set.has(hash(50_000))]).toEqual([50_000, true, false])
    expect([set.has(new Uint8Array(32)), set.add(new Uint8Array(32)), set.add(new Uint8Array(32))]).toEqual([
      false,
      true,
      false,
    ])
  })
})
