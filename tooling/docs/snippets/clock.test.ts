import { createChain } from '@org/simnet'
import { expect, test } from 'vitest'
import { app } from './notes.ts'

test('a year passes in a moment, and the chain goes back', async () => {
  await using chain = await createChain({ app })
  await chain.advance({ blocks: 3 })
  const [before, time] = [await chain.snapshot(), chain.time()]

  await chain.advance({ time: 365 * 86_400_000 }) // the time is in milliseconds
  expect(Number((chain.time() - time) / 1_000_000n)).toBeGreaterThanOrEqual(365 * 86_400_000)

  await chain.revert(before)
  expect(chain.height()).toBe(3)
})
