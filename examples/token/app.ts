import {
  type App,
  type AppOptions,
  createApp,
  createTable,
  integers,
  message,
  query,
  refuse,
  type State,
} from '@org/app'
import { z } from 'zod'

/*
 * A token with balances and allowances. Its owner mints tokens. With an allowance, an account lets another account
 * spend a part of its balance.
 */

export const balances = createTable('balance', integers)
/** The amount that each spender may take from each owner. The key is `<owner>/<spender>`. */
export const allowances = createTable('allowance', integers)
const settings = createTable<string>('setting')
const sums = createTable('sum', integers)

const address = z.string().regex(/^[0-9A-F]{40}$/, 'an address is 40 hex digits')
const amount = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,29})$/, 'an amount is a whole number as text')
  .transform(BigInt)

const balanceOf = (state: Pick<State, 'get' | 'entries'>, owner: string): bigint => balances.get(state, owner) ?? 0n

/** Adds `by` to a balance. A negative value takes tokens away. A balance of zero is not stored. */
function change(state: State, owner: string, by: bigint): void {
  const balance = balanceOf(state, owner) + by
  if (balance < 0n) refuse(`the balance of ${owner} is ${balance - by}, less than ${-by}`, 1)
  if (balance === 0n) balances.delete(state, owner)
  else balances.set(state, owner, balance)
}

const transfer = message(z.object({ to: address, amount }), ({ state, signer, emit }, { to, amount: sum }) => {
  change(state, signer, -sum)
  change(state, to, sum)
  emit('transfer', { from: signer, to, amount: sum })
})

const approve = message(z.object({ spender: address, amount }), ({ state, signer, emit }, { spender, amount: sum }) => {
  allowances.set(state, `${signer}/${spender}`, sum)
  emit('approve', { owner: signer, spender, amount: sum })
})

const transferFrom = message(
  z.object({ from: address, to: address, amount }),
  ({ state, signer, emit }, { from, to, amount: sum }) => {
    const allowed = allowances.get(state, `${from}/${signer}`) ?? 0n
    if (allowed < sum) refuse(`${from} allows ${signer} to spend ${allowed}, less than ${sum}`, 2)
    allowances.set(state, `${from}/${signer}`, allowed - sum)
    change(state, from, -sum)
    change(state, to, sum)
    emit('transfer', { from, to, amount: sum, spender: signer })
  },
)

const mint = message(z.object({ to: address, amount }), ({ state, signer, emit }, { to, amount: sum }) => {
  if (signer !== settings.get(state, 'owner')) refuse('only the owner mints', 3)
  change(state, to, sum)
  sums.set(state, 'supply', (sums.get(state, 'supply') ?? 0n) + sum)
  emit('mint', { to, amount: sum })
})

const burn = message(z.object({ amount }), ({ state, signer, emit }, { amount: sum }) => {
  change(state, signer, -sum)
  sums.set(state, 'supply', (sums.get(state, 'supply') ?? 0n) - sum)
  emit('burn', { from: signer, amount: sum })
})

export const app = (options: Partial<AppOptions> = {}): App =>
  createApp({
    name: 'token',
    genesis: message(z.object({ owner: address }), ({ state }, { owner }) => settings.set(state, 'owner', owner)),
    messages: { transfer, approve, transferFrom, mint, burn },
    queries: {
      balance: query(address, ({ state }, owner) => balanceOf(state, owner)),
      allowance: query(z.object({ owner: address, spender: address }), ({ state }, { owner, spender }) => {
        return allowances.get(state, `${owner}/${spender}`) ?? 0n
      }),
      supply: query(z.undefined(), ({ state }) => sums.get(state, 'supply') ?? 0n),
    },
    ...options,
  })
