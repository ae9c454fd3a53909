import { type Chain, createChain } from '@org/simnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestbook } from '../src/guestbook.ts'

let chain: Chain
beforeAll(async () => {
  chain = await createChain({ app: guestbook })
})
afterAll(() => chain.stop())

const guests = async (): Promise<string> => new TextDecoder().decode((await chain.query('/guests')).value)

test('default: a name can sign the book only once', async () => {
  expect(await chain.broadcast('satoshi')).toMatchObject({ code: 0, height: 1 })
  expect(await chain.broadcast('hal')).toMatchObject({ code: 0, height: 2 })
  expect(await guests()).toBe('satoshi hal')
  expect(await chain.broadcast('Hal')).toMatchObject({ code: 1, log: 'you were here' })
})

test('behavior: a chain reverts to a snapshot, and advances by a month', async () => {
  const before = await chain.snapshot()
  await chain.broadcast('vitalik')
  await chain.revert(before)
  expect(await guests()).toBe('satoshi hal')
  const then = chain.time()
  await chain.advance({ time: 30 * 86_400_000 })
  expect(chain.time() - then).toBeGreaterThanOrEqual(30n * 86_400_000_000_000n)
})
