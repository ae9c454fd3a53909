import { type App, type AppOptions, createApp, createTable, integers, message, query, refuse } from '@org/app'
import { z } from 'zod'

/** The balance of each account, by its address. */
export const balances = createTable('balance', integers)

const address = z.string().regex(/^[0-9A-F]{40}$/, 'an address is 40 hex digits')
/** An amount is written as digits in a string, because JSON has no large integers. */
const amount = z
  .string()
  .regex(/^[1-9][0-9]{0,29}$/, 'an amount is a whole number above 0, as text')
  .transform(BigInt)

const transfer = message(z.object({ to: address, amount }), ({ state, signer, emit }, { to, amount }) => {
  const balance = balances.get(state, signer) ?? 0n
  if (balance < amount) refuse(`the balance is ${balance}, less than ${amount}`, 1)
  balances.set(state, signer, balance - amount)
  balances.set(state, to, (balances.get(state, to) ?? 0n) + amount)
  emit('transfer', { from: signer, to, amount })
})

const burn = message(z.object({ amount }), ({ state, signer, emit }, { amount }) => {
  const rest = (balances.get(state, signer) ?? 0n) - amount
  if (rest < 0n) refuse(`the balance is ${rest + amount}, less than ${amount}`, 1)
  if (rest === 0n) balances.delete(state, signer)
  else balances.set(state, signer, rest)
  emit('burn', { from: signer, amount })
})

/**
 * `halley devnet --app` and the tests call this function. The application of every node must compute the same state, so
 * it uses no clock, no randomness and no network.
 */
export const app = (options: Partial<AppOptions> = {}): App =>
  createApp({
    name: 'token',
    genesis: message(z.record(address, amount), ({ state }, accounts) => {
      for (const [owner, balance] of Object.entries(accounts)) balances.set(state, owner, balance)
    }),
    messages: { transfer, burn },
    // The application makes a snapshot every 1,000 blocks. A node that joins later begins with one of the last two
    // snapshots.
    snapshots: { every: 1000 },
    queries: {
      balance: query(address, ({ state }, owner) => balances.get(state, owner) ?? 0n),
      supply: query(z.undefined(), ({ state }) => {
        let sum = 0n
        for (const [, balance] of balances.entries(state)) sum += balance
        return sum
      }),
    },
    ...options,
  })
