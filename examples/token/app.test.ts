import { createAccount } from '@org/app'
import { expect, test } from 'vitest'
import { startExample } from '../start-chain.ts'
import { app } from './app.ts'

const [owner, alice, bob] = [createAccount('owner'), createAccount('alice'), createAccount('bob')]
const genesis = { owner: owner.address }

test('only the owner mints, and burning reduces the supply', async () => {
  await using token = await startExample(app, genesis)
  expect(await token.send(alice, 'mint', { to: alice.address, amount: '5' })).toBe('3: only the owner mints')
  expect(await token.send(owner, 'mint', { to: alice.address, amount: '100' })).toBe('ok')
  expect(await token.send(alice, 'burn', { amount: '30' })).toBe('ok')
  expect(await token.ask('/supply')).toBe('70')
  expect(await token.ask('/balance', alice.address)).toBe('70')
})

test('a spender spends what the owner of a balance allows, and no more', async () => {
  await using token = await startExample(app, genesis)
  await token.send(owner, 'mint', { to: alice.address, amount: '100' })
  const spend = (amount: string) => token.send(bob, 'transferFrom', { from: alice.address, to: bob.address, amount })
  expect(await spend('1')).toMatch(/^2: .* allows .* to spend 0/)
  await token.send(alice, 'approve', { spender: bob.address, amount: '60' })
  expect(await spend('40')).toBe('ok')
  expect(await spend('40')).toMatch(/^2: /)
  expect(await token.ask('/allowance', { owner: alice.address, spender: bob.address })).toBe('20')
  await token.send(alice, 'transfer', { to: owner.address, amount: '55' })
  // The allowance is large enough, but the balance of the owner is not.
  expect(await spend('20')).toMatch(/^1: the balance of/)
  expect(await token.ask('/balance', alice.address)).toBe('5')
})

test('a transfer to oneself changes nothing', async () => {
  await using token = await startExample(app, genesis)
  await token.send(owner, 'mint', { to: alice.address, amount: '10' })
  expect(await token.send(alice, 'transfer', { to: alice.address, amount: '10' })).toBe('ok')
  expect(await token.ask('/balance', alice.address)).toBe('10')
})
