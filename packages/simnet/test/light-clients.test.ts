import { describe, expect, test } from 'vitest'
import { attackLightClient, LIGHT_ATTACKS } from '../src/index.ts'

const EQUAL = [10n, 10n, 10n, 10n]

describe('a light client with one honest witness', () => {
  test.each([
    ['lunatic', [0, 1]],
    ['lunatic', [0, 1, 2]],
    ['equivocation', [0, 1, 2]],
    ['amnesia', [0, 1, 2]],
  ] as const)('detects an attack (%s) by the validators %j, and a block has the evidence', async (attack, liars) => {
    const result = await attackLightClient({ seed: 5, powers: EQUAL, attack, liars, witnesses: [1, 3] })
    expect(result.violations).toEqual([])
    expect(result.outcome).toBe('detected')
    expect(result.evidenceHeight).toBeGreaterThan(7)
  })
})

test.each(LIGHT_ATTACKS)(
  'behavior: with less than a third of the power, no forged header (%s) is trusted',
  async (attack) => {
    for (const powers of [EQUAL, [1n, 2n, 2n, 1n]]) {
      const result = await attackLightClient({ seed: 6, powers, attack, liars: [0], witnesses: [2, 3] })
      expect(result).toEqual({ outcome: 'refused', evidenceHeight: undefined, violations: [] })
    }
  },
)

test.each(['equivocation', 'amnesia'] as const)(
  'behavior: with half of the power, no forged header of the same validators (%s) is trusted',
  async (attack) => {
    const result = await attackLightClient({ seed: 7, powers: EQUAL, attack, liars: [0, 1], witnesses: [1, 3] })
    expect(result).toEqual({ outcome: 'refused', evidenceHeight: undefined, violations: [] })
  },
)
