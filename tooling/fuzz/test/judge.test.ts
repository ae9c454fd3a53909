import { expect, test } from 'vitest'
import { exponentOf } from '../src/cost/judge.ts'

const samples = (...times: readonly number[]) =>
  times.map((ms, index) => ({ bytes: 1024 * 2 ** index, ns: ms * 1e6, held: 0, kept: 0, turnNs: 0 }))

test('default: the exponent follows from the growth at each doubling', () => {
  expect(exponentOf(samples(1, 2, 4, 8))).toBeCloseTo(1)
  expect(exponentOf(samples(1, 4, 16, 64))).toBeCloseTo(2)
  expect(exponentOf(samples(1, 3.2, 10, 33))).toBeGreaterThan(1.5)
})

test('behavior: a jump at only one doubling does not raise the exponent', () => {
  expect(exponentOf(samples(1, 2, 20, 40))).toBeCloseTo(1)
  expect(exponentOf(samples(1, 2, 4, 80))).toBeCloseTo(1)
})

test('behavior: one sample that was too fast does not hide the growth', () => {
  expect(exponentOf(samples(4, 4, 16, 64))).toBeGreaterThan(1.3)
  expect(exponentOf(samples(1, 4, 16))).toBeCloseTo(2)
})
