import { type Chain, createChain } from '@org/simnet'
import { RequestFinalizeBlock, RequestInitChain } from '@org/types/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  type AppOptions,
  createAccount,
  createApp,
  createTable,
  encodeTransaction,
  json,
  message,
  refuse,
  TX_CODES,
} from '../src/index.ts'

const alice = createAccount('alice')
const used = createTable('used', json<boolean>())
const names = createTable('name', json<string>())

/** An application that needs no nonces, because its message `claim` refuses an identifier that was used before. */
const createNames = (options: Partial<AppOptions>) =>
  createApp({
    name: 'names',
    messages: {
      claim: message(z.object({ id: z.string(), name: z.string() }), ({ state, signer }, { id, name }) => {
        const key = `${signer}/${id}`
        if (used.get(state, key) === true) refuse('the identifier was used before', 20)
        used.set(state, key, true)
        names.set(state, name, signer)
      }),
      rename: message(z.string(), ({ state, signer }, name) => names.set(state, name, signer)),
    },
    ...options,
  })

const startChain = (options: Partial<AppOptions>): Promise<Chain> =>
  createChain({ app: () => createNames(options), genesis: { chainId: 'names' } })

const claim = (id: string, name = 'a') => alice.sign({ type: 'claim', value: { id, name }, chainId: 'names' })

test('default: with signatures a transaction needs a nonce', async () => {
  await using chain = await startChain({})
  const { code, log } = await chain.broadcast(claim('1'))
  expect([code, log]).toEqual([
    TX_CODES.malformed,
    'the transaction is malformed: it has no "nonce": the query /nonce with the address of the account returns the next one',
  ])
})

test('behavior: without nonces a handler receives the signer, and refuses the second transaction itself', async () => {
  await using chain = await startChain({ nonces: false })
  expect((await chain.broadcast(claim('1'))).code).toBe(0)
  expect((await chain.broadcast(claim('1', 'b'))).code).toBe(20)
  expect((await chain.broadcast(claim('2'))).code).toBe(0)
  const { value } = await chain.query('/state', bytesToUtf8(names.key('a')))
  expect(bytesToUtf8(value)).toBe(JSON.stringify(alice.address))
})

test('behavior: without nonces the same bytes are executed in each block that contains them', async () => {
  const app = createNames({ nonces: false })
  await app.initChain(RequestInitChain.create({ chainId: 'names', initialHeight: 1 }))
  const rename = alice.sign({ type: 'rename', value: 'a', chainId: 'names' })
  const txs = [rename, rename, claim('1'), claim('1')]
  const { txResults = [] } = await app.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs }))
  expect(txResults.map(({ code }) => code)).toEqual([0, 0, 0, 20])
})

test.each([
  ['a nonce', alice.sign({ type: 'rename', value: 'a', chainId: 'names', nonce: 0 }), TX_CODES.malformed],
  ['no signature', encodeTransaction({ type: 'rename', value: 'a' }), TX_CODES.malformed],
  ['another chain', alice.sign({ type: 'rename', value: 'a', chainId: 'other' }), TX_CODES.badSignature],
])('error: a chain without nonces refuses a transaction with %s', async (_name, tx, code) => {
  await using chain = await startChain({ nonces: false })
  expect((await chain.broadcast(tx)).code).toBe(code)
})

test('error: a chain without nonces refuses a changed body', async () => {
  await using chain = await startChain({ nonces: false })
  const changed = bytesToUtf8(claim('1')).replace('"name":"a"', '"name":"b"')
  expect((await chain.broadcast(utf8ToBytes(changed))).code).toBe(TX_CODES.badSignature)
})

test('behavior: without signatures there are no nonces', async () => {
  await using chain = await startChain({ signatures: false })
  expect((await chain.broadcast(encodeTransaction({ type: 'rename', value: 'a' }))).code).toBe(0)
  const withNonce = await chain.broadcast('{"type":"rename","value":"b","nonce":0}')
  expect([withNonce.code, withNonce.log]).toEqual([TX_CODES.malformed, expect.stringContaining('has no nonces')])
})

test('error: a chain without nonces does not answer /nonce', async () => {
  await using chain = await startChain({ nonces: false })
  const { code, log } = await chain.query('/nonce', alice.address)
  expect([code, log]).toEqual([1, 'no query has the path "/nonce": /state'])
})

test.each([
  [{ signatures: false, nonces: true }, /nonces need signatures/],
  [{ signatures: 'no' }, /signatures must be true or false, got no/],
  [{ nonces: 1 }, /nonces must be true or false, got 1/],
])('error: the options %j', (options, expected) => {
  const create = () => createNames(options as Partial<AppOptions>)
  expect(create).toThrow(expect.objectContaining({ code: 'APP_BAD_OPTION', message: expect.stringMatching(expected) }))
})
