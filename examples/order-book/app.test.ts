import { createAccount } from '@org/app'
import { expect, test } from 'vitest'
import { startExample } from '../start-chain.ts'
import { app } from './app.ts'

const [alice, bob, carol] = [createAccount('alice'), createAccount('bob'), createAccount('carol')]
const genesis = {
  [alice.address]: { gold: 100 },
  [bob.address]: { gold: 100 },
  [carol.address]: { coins: 10_000 },
}

test('a buyer trades with the cheapest and then the oldest sell orders, and pays their prices', async () => {
  await using market = await startExample(app, genesis)
  await market.send(alice, 'place', { side: 'sell', price: 20, amount: 10 })
  await market.send(bob, 'place', { side: 'sell', price: 15, amount: 4 })
  await market.send(alice, 'place', { side: 'sell', price: 15, amount: 4 })
  expect(await market.send(carol, 'place', { side: 'buy', price: 18, amount: 6 })).toBe('ok')
  expect(await market.ask('/balance', carol.address)).toEqual({ gold: '6', coins: String(10_000 - 6 * 15) })
  expect(await market.ask('/balance', bob.address)).toEqual({ gold: '96', coins: '60' })
  expect(await market.ask('/balance', alice.address)).toEqual({ gold: '86', coins: '30' })
  expect(await market.ask('/book', 'sell')).toMatchObject([
    { price: 15, amount: 2, owner: alice.address },
    { price: 20, amount: 10 },
  ])
  expect(await market.chain.search("trade.price='15'")).toHaveLength(1)
})

test('the rest of an order waits, and its owner gets the money back by cancelling it', async () => {
  await using market = await startExample(app, genesis)
  await market.send(alice, 'place', { side: 'sell', price: 10, amount: 5 })
  await market.send(carol, 'place', { side: 'buy', price: 12, amount: 8 })
  const [waiting] = (await market.ask('/book', 'buy')) as readonly { id: string; amount: number }[]
  expect(waiting?.amount).toBe(3)
  expect(await market.ask('/balance', carol.address)).toEqual({ gold: '5', coins: String(10_000 - 50 - 36) })
  expect(await market.send(bob, 'cancel', waiting?.id)).toMatch(/^3: /)
  expect(await market.send(carol, 'cancel', waiting?.id)).toBe('ok')
  expect(await market.send(carol, 'cancel', waiting?.id)).toMatch(/^2: /)
  expect(await market.ask('/balance', carol.address)).toEqual({ gold: '5', coins: '9950' })
})

test('no order makes money appear or disappear', async () => {
  await using market = await startExample(app, genesis)
  const people = [alice, bob, carol]
  for (let turn = 0; turn < 24; turn++) {
    const [side, price] = [turn % 3 === 2 ? 'buy' : 'sell', 5 + ((turn * 7) % 11)]
    await market.send(people[turn % 3] as typeof alice, 'place', { side, price, amount: 1 + (turn % 5) })
  }
  let [gold, coins] = [0n, 0n]
  for (const { address } of people) {
    const has = (await market.ask('/balance', address)) as { gold: string; coins: string }
    gold += BigInt(has.gold)
    coins += BigInt(has.coins)
  }
  const book = async (side: string) => (await market.ask('/book', side)) as readonly { price: number; amount: number }[]
  for (const { amount } of await book('sell')) gold += BigInt(amount)
  for (const { amount, price } of await book('buy')) coins += BigInt(amount * price)
  expect([gold, coins]).toEqual([200n, 10_000n])
  expect(await market.chain.search('trade.price EXISTS')).not.toHaveLength(0)
})

test('an order above the balance, or with a part of a coin, is refused', async () => {
  await using market = await startExample(app, genesis)
  expect(await market.send(alice, 'place', { side: 'sell', price: 1, amount: 101 })).toMatch(
    /^1: the balance of gold\/.* is 100, less than 101$/,
  )
  expect(await market.send(carol, 'place', { side: 'buy', price: 1.5, amount: 1 })).toMatch(
    /^3: the value is invalid: price/,
  )
})
