import { expect, test } from 'vitest'
import { type ConsensusPosition, compareConsensusPositions } from './position.ts'

test('default: positions are compared by height, then by round, then by step', () => {
  const inOrder: readonly ConsensusPosition[] = [
    { height: 0, round: -1, step: 0 },
    { height: 1, round: 0, step: 2 },
    { height: 1, round: 0, step: 8 },
    { height: 1, round: 1, step: 1 },
    { height: 1, round: 10, step: 1 },
    { height: 2, round: 0, step: 1 },
    { height: Number.MAX_SAFE_INTEGER, round: 0, step: 1 },
  ]
  for (const [at, a] of inOrder.entries())
    for (const [other, b] of inOrder.entries())
      expect(Math.sign(compareConsensusPositions(a, b))).toBe(Math.sign(at - other))
})
