import type { ValidatorSet, Vote } from '@org/types'
import { describe, expect, test } from 'vitest'
import { voteDelays } from './vote-delays.ts'

const setOf = (...powers: bigint[]): ValidatorSet => ({
  validators: powers.map((votingPower) => ({ votingPower })) as unknown as ValidatorSet['validators'],
  proposer: undefined,
  totalVotingPower: powers.reduce((sum, power) => sum + power, 0n),
})
const at = (seconds: number): Vote => ({ timestamp: BigInt(seconds * 1e9) }) as Vote

describe('voteDelays', () => {
  test('default: reports the delay of the vote that completes two thirds, in the order of vote times, and of the last vote', () => {
    expect(voteDelays([at(9), at(3), at(5), at(4)], setOf(10n, 10n, 10n, 10n), at(2).timestamp)).toEqual({
      quorum: 3,
      full: 7,
    })
  })

  test('behavior: exactly two thirds are no quorum, and with an absent vote there is no full delay', () => {
    expect(voteDelays([at(1), at(2), undefined], setOf(1n, 1n, 1n), 0n)).toEqual({ quorum: undefined, full: undefined })
    expect(voteDelays([at(1), undefined], setOf(5n, 1n), 0n)).toEqual({ quorum: 1, full: undefined })
  })

  test('behavior: a vote before the proposal gives a negative delay, as in the reference', () => {
    expect(voteDelays([at(1)], setOf(1n), at(2).timestamp)).toEqual({ quorum: -1, full: -1 })
  })
})
