import { makeBlock, makeChain, makeKeys, makeValidators, START } from '@org/test-kit'
import type { Header } from '@org/types'
import { describe, expect, test } from 'vitest'
import { LIGHT_ERRORS, type LightBlock, verifyBackwards } from '../src/index.ts'

const keys = makeKeys(4)
const chain = makeChain({ to: 4, keysAt: () => keys })
const at = (height: number): Header => (chain.get(height) as LightBlock).header

const refusal = (fault: string): object =>
  expect.objectContaining({ code: LIGHT_ERRORS.invalidHeader, data: expect.objectContaining({ fault }) })

describe('verifyBackwards', () => {
  test('each header before a trusted header is accepted', () => {
    for (const height of [3, 2, 1]) verifyBackwards(at(height), at(height + 1))
  })

  test('a header that the trusted header does not follow is refused', () => {
    expect(() => verifyBackwards(at(1), at(3))).toThrow(refusal('hash'))
    expect(() => verifyBackwards({ ...at(2), appHash: new Uint8Array(32) }, at(3))).toThrow(refusal('hash'))
  })

  test('another chain, a later time and a header that is not well formed are refused', () => {
    expect(() => verifyBackwards({ ...at(2), chainId: 'another' }, at(3))).toThrow(refusal('chain'))
    expect(() => verifyBackwards({ ...at(2), time: at(3).time }, at(3))).toThrow(refusal('time'))
    expect(() => verifyBackwards({ ...at(2), height: 0 }, at(3))).toThrow(refusal('form'))
  })

  test('an empty hash is refused before the first block, which follows no block', () => {
    const first = makeBlock({ height: 100, time: START, keys, validators: makeValidators(keys, 1, 0) }).header
    const made = { ...first, height: 99, time: START - 1n, validatorsHash: new Uint8Array(0) }
    expect(() => verifyBackwards(made, first)).toThrow(refusal('hash'))
  })
})
