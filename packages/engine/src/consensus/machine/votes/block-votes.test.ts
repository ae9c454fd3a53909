import { SignedMsgType, Vote } from '@org/types'
import { expect, test } from 'vitest'
import { addToBlockVotes, createBlockVotes } from './block-votes.ts'

test('cost: a claim of +2/3 takes no memory for the validators until the first vote', () => {
  const votes = createBlockVotes(10_000, 1)
  expect(votes.bits).toBeUndefined()
  addToBlockVotes(votes, Vote.create({ type: SignedMsgType.prevote, validatorIndex: 9_999 }), 7n)
  expect([votes.bits?.size, votes.bits?.count(), votes.bits?.get(9_999), votes.sum]).toEqual([10_000, 1, true, 7n])
})
