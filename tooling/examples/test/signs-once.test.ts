import { createChain } from '@org/simnet'
import { expect, test } from 'vitest'
import { guestbook } from '../src/guestbook.ts'

test('a name can sign the book only once', async () => {
  const chain = await createChain({ app: guestbook })
  expect(await chain.broadcast('satoshi')).toMatchObject({ code: 0, height: 1 })
  const before = await chain.snapshot()
  await chain.advance({ blocks: 100 })
  await chain.advance({ time: 30 * 86_400_000 }) // moves the clock of the chain forward by 30 days
  await chain.revert(before)
  expect(await chain.broadcast('satoshi')).toMatchObject({ code: 1, log: 'you were here' })
  await chain.stop()
})
