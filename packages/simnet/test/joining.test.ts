import { expect, test } from 'vitest'
import { makeJoinScenario, runScenario } from '../src/index.ts'

test('default: a node begins with a snapshot, keeps all rules, and the same seed gives the same run', async () => {
  const [one, other] = [await runScenario(makeJoinScenario(4)), await runScenario(makeJoinScenario(4))]
  expect(one.violations).toEqual([])
  expect(one.counts['snapshots restored']).toBe(1)
  expect(other.digest).toBe(one.digest)
})

test.each([
  { seed: 8, about: 'a server lies about proposer priorities, and the operator replaces it' },
  { seed: 30, about: 'a peer offers a false snapshot, and the node restores another one in its place' },
  { seed: 81, about: 'a chunk that was requested twice from an honest peer comes twice' },
  { seed: 134, about: 'a false snapshot comes before any honest one' },
])('regression: with the seed $seed, $about', async ({ seed }) => {
  const { violations, counts } = await runScenario(makeJoinScenario(seed))
  expect(violations).toEqual([])
  expect(counts['snapshots restored']).toBe(1)
})
