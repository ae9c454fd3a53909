import { describe, expect, test } from 'vitest'
import { type Behaviour, FORGERIES, runScenario, type SimNetwork } from '../src/index.ts'

interface Lie {
  readonly seed: number
  readonly powers: readonly bigint[]
  readonly behaviours: readonly Behaviour[]
}

async function lie({ seed, powers, behaviours }: Lie) {
  let network: SimNetwork | undefined
  const result = await runScenario(
    {
      seed,
      network: { validators: powers.length, powers },
      faults: [],
      byzantine: [{ node: 0, behaviours }],
      lastsMs: 6000,
    },
    {
      onNetwork: (made) => {
        network = made
      },
    },
  )
  return { ...result, network }
}

const EVEN = [10n, 10n, 10n, 10n]

describe('validators that do not keep the rules', () => {
  test('default: a double sign below a third of the power does no harm, and its evidence is in a block', async () => {
    const { violations, counts, network } = await lie({ seed: 5, powers: EVEN, behaviours: ['equivocate'] })
    expect(violations).toEqual([])
    expect(counts['byzantine equivocate']).toBeGreaterThan(0)
    const [, honest] = network?.nodes ?? []
    const { blockStore } = honest?.engine() ?? {}
    const heights = Array.from({ length: blockStore?.height() ?? 0 }, (_, i) => i + 1)
    expect(heights.some((height) => (blockStore?.loadBlock(height)?.evidence.evidence.length ?? 0) > 0)).toBe(true)
  })

  test.each(FORGERIES)(
    'behavior: honest nodes refuse the messages of "%s", and the chain continues',
    async (behaviour) => {
      const { violations, counts, heights } = await runScenario({
        seed: 6,
        network: { validators: 4, extensionsFrom: 1 },
        faults: [],
        byzantine: [{ node: 0, behaviours: [behaviour] }],
        lastsMs: 3000,
      })
      expect(violations).toEqual([])
      expect(counts[`byzantine ${behaviour}`]).toBeGreaterThan(0)
      expect(heights).toBeGreaterThan(5)
    },
  )

  test('error: with more than a third of the power two blocks of one height can be decided, and a rule detects that', async () => {
    const behaviours = ['doublePropose', 'equivocate'] as const
    const rules = new Set<string>()
    for (let seed = 3; seed <= 12 && !rules.has('agreement'); seed++) {
      const { violations } = await lie({ seed, powers: [40n, 10n, 10n, 10n], behaviours })
      for (const { rule } of violations) rules.add(rule)
    }
    expect([...rules]).toContain('agreement')
  })
})
