import { type Account, createAccount } from '@org/app'
import { type Chain, createChain } from '@org/simnet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { app } from '../src/app.ts'

const [alice, bob] = [createAccount('alice'), createAccount('bob')]
const chainId = 'test'
let chain: Chain

beforeEach(async () => {
  // Four validators: `createChain` fails if two of them compute different states.
  chain = await createChain({
    app: () => app(),
    validators: 4,
    genesis: { chainId, appState: { [alice.address]: '100' } },
  })
})
afterEach(() => chain.stop())

const send = (from: Account, amount: string, nonce: number) =>
  chain.broadcast(from.sign({ type: 'transfer', value: { to: bob.address, amount }, nonce, chainId }))

async function ask(path: string, argument?: unknown): Promise<unknown> {
  const { value } = await chain.query(path, argument === undefined ? '' : JSON.stringify(argument))
  return JSON.parse(new TextDecoder().decode(value))
}

describe('transfer', () => {
  test('moves the amount, and a search finds the event', async () => {
    expect((await send(alice, '30', 0)).code).toBe(0)
    expect(await ask('/balance', alice.address)).toBe('70')
    expect(await ask('/balance', bob.address)).toBe('30')
    expect(await chain.search(`transfer.to='${bob.address}'`)).toHaveLength(1)
  })

  test('is refused above the balance, and nothing changes', async () => {
    expect(await send(alice, '101', 0)).toMatchObject({ code: 1, log: 'the balance is 100, less than 101' })
    expect(await ask('/balance', alice.address)).toBe('100')
  })

  test('is accepted once: a second transaction needs the next nonce', async () => {
    await send(alice, '1', 0)
    expect(await send(alice, '2', 0)).toMatchObject({ code: 5, codespace: 'app' })
    expect((await send(alice, '2', 1)).code).toBe(0)
  })

  test('is refused if the amount is not a number', async () => {
    expect(await send(alice, '-5', 0)).toMatchObject({ code: 3, codespace: 'app' })
  })
})

test('burn reduces the supply', async () => {
  await chain.broadcast(alice.sign({ type: 'burn', value: { amount: '40' }, nonce: 0, chainId }))
  expect(await ask('/supply')).toBe('60')
})
