import { z } from 'zod'
import { type App, type AppOptions, createApp, createTable, integers, message, query, refuse } from '../src/index.ts'

/** Whole numbers above 0, as texts of digits. */
export const amount = z
  .string()
  .regex(/^[1-9][0-9]{0,30}$/)
  .transform(BigInt)
const address = z.string().min(1).max(64)

export const balances = createTable<bigint>('balance', integers)

export const bankOptions: AppOptions = {
  name: 'bank',
  genesis: message(z.record(address, amount), ({ state }, accounts) => {
    for (const [owner, balance] of Object.entries(accounts)) balances.set(state, owner, balance)
  }),
  messages: {
    transfer: message(z.object({ to: address, amount }), ({ state, signer, emit }, value) => {
      const mine = balances.get(state, signer) ?? 0n
      if (mine < value.amount) refuse(`the balance is ${mine}, less than ${value.amount}`, 10)
      balances.set(state, signer, mine - value.amount)
      balances.set(state, value.to, (balances.get(state, value.to) ?? 0n) + value.amount)
      emit('transfer', { from: signer, to: value.to, amount: value.amount })
      return { left: mine - value.amount }
    }),
    fail: message(z.null(), ({ state }) => {
      balances.set(state, 'nobody', 1n)
      // This line throws a TypeError, which is no `Refusal`. So the executor reports that the handler failed.
      return (undefined as unknown as { member: string }).member
    }),
    spin: message(z.null(), ({ useGas }) => {
      for (;;) useGas(1000)
    }),
    shout: message(z.null(), ({ emit }) => {
      for (;;) emit('shout', { text: 'a' })
    }),
    promote: message(z.null(), ({ setValidator }) => {
      const pubKey = { type: 'ed25519', bytes: new Uint8Array(32) } as const
      for (let power = 1n; ; power++) setValidator(pubKey, power)
    }),
    repeat: message(z.number(), (_context, times) => 'a'.repeat(times)),
    exhaust: message(z.null(), () => {
      throw new RangeError('Array buffer allocation failed')
    }),
    later: message(z.null(), async () => undefined),
  },
  queries: {
    balance: query(address, ({ state }, owner) => balances.get(state, owner) ?? 0n),
    richest: query(z.undefined(), ({ state }) => {
      const all = [...balances.entries(state)].sort(([, a], [, b]) => (a < b ? 1 : -1))
      return all.slice(0, 3).map(([owner, balance]) => ({ owner, balance }))
    }),
  },
}

/** An application with balances, which the tests use. */
export const createBank = (options: Partial<AppOptions> = {}): App => createApp({ ...bankOptions, ...options })
