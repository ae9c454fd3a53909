import { createRpcProvider } from '@org/light'
import { ics23Operators } from '@org/light/ics23'
import { createVerifiedClient } from '@org/light/verified'
import { createSystemClock } from '@org/runtime'
import { type Chain, createChain } from '@org/simnet'
import { RequestFinalizeBlock, RequestInfo, RequestInitChain, RequestQuery } from '@org/types/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { type Account, createAccount, encodeTransaction, TX_CODES } from '../src/index.ts'
import { balances, createBank } from './bank.ts'

const [alice, bob] = [createAccount('alice'), createAccount('bob')]
const appState = { [alice.address]: '100' }

function startChain(app = () => createBank(), validators = 1): Promise<Chain> {
  return createChain({ app, validators, genesis: { chainId: 'bank', appState } })
}

const transfer = (
  from: Account,
  to: string,
  value: { amount: unknown; nonce: number; chainId?: string; gas?: number },
) => {
  const { amount, nonce, chainId = 'bank', gas } = value
  return from.sign({ type: 'transfer', value: { to, amount }, nonce, chainId, ...(gas === undefined ? {} : { gas }) })
}

/** Returns the signed transaction `tx`, with the JSON member `key` before the JSON member `body`. */
function reordered(tx: Uint8Array): Uint8Array {
  const { body, key, signature } = JSON.parse(bytesToUtf8(tx)) as Readonly<Record<string, unknown>>
  return utf8ToBytes(JSON.stringify({ key, body, signature }))
}

const answerOf = async (chain: Chain, path: string, argument?: unknown): Promise<unknown> => {
  const { code, value, log } = await chain.query(path, argument === undefined ? '' : JSON.stringify(argument))
  return code === 0 ? (JSON.parse(bytesToUtf8(value)) as unknown) : `${code}: ${log}`
}

describe('an application with signatures', () => {
  test('transfers: balances, data, events, gas and nonces', async () => {
    await using chain = await startChain()
    expect(await answerOf(chain, '/balance', alice.address)).toBe('100')
    await chain.advance({ blocks: 1 })
    const first = await chain.broadcast(transfer(alice, bob.address, { amount: 30n, nonce: 0 }))
    expect(first).toMatchObject({ code: 0, height: expect.any(Number) })
    const result = chain.results(first.height).txResults[0]
    expect(bytesToUtf8(result?.data ?? new Uint8Array(0))).toBe('{"left":"70"}')
    expect(result?.gasUsed).toBeGreaterThan(100n)
    expect(result?.gasWanted).toBe(1_000_000n)
    expect(await chain.search(`transfer.to='${bob.address}'`)).toHaveLength(1)
    expect(await answerOf(chain, '/balance', alice.address)).toBe('70')
    expect(await answerOf(chain, '/richest')).toEqual([
      { owner: alice.address, balance: '70' },
      { owner: bob.address, balance: '30' },
    ])
    expect(bytesToUtf8((await chain.query('/nonce', alice.address)).value)).toBe('1')
    // A query can still read the state of an earlier height.
    const before = await chain.query('/balance', JSON.stringify(bob.address), first.height - 1)
    expect(bytesToUtf8(before.value)).toBe('"0"')
  })

  test.each([
    ['no JSON', utf8ToBytes('{'), TX_CODES.malformed],
    ['JSON in another form', utf8ToBytes(' {"body":1,"key":"","signature":""}'), TX_CODES.malformed],
    ['the members in another order', reordered(transfer(alice, 'x', { amount: 1n, nonce: 0 })), TX_CODES.malformed],
    ['lists within lists', utf8ToBytes('['.repeat(100_000)), TX_CODES.malformed],
    ['without a signature', encodeTransaction({ type: 'transfer', value: {} }), TX_CODES.malformed],
    ['an unknown type', alice.sign({ type: 'steal', value: {}, nonce: 0, chainId: 'bank' }), TX_CODES.unknownType],
    ['the name of a method of objects', alice.sign({ type: 'toString', value: {}, nonce: 0, chainId: 'bank' }), 2],
    ['a value that does not fit', transfer(alice, 'x', { amount: 'much', nonce: 0 }), TX_CODES.badValue],
    ['another chain', transfer(alice, 'x', { amount: 1n, nonce: 0, chainId: 'other' }), TX_CODES.badSignature],
    ['a nonce too high', transfer(alice, 'x', { amount: 1n, nonce: 1 }), TX_CODES.badNonce],
    ['too little gas', transfer(alice, 'x', { amount: 1n, nonce: 0, gas: 50 }), TX_CODES.outOfGas],
    ['a refusal of the handler', transfer(alice, 'x', { amount: 101n, nonce: 0 }), 10],
    ['an error of the handler', alice.sign({ type: 'fail', value: null, nonce: 0, chainId: 'bank' }), TX_CODES.failed],
    ['a handler without end', alice.sign({ type: 'spin', value: null, nonce: 0, chainId: 'bank' }), TX_CODES.outOfGas],
    ['events without end', alice.sign({ type: 'shout', value: null, nonce: 0, chainId: 'bank' }), TX_CODES.outOfGas],
    ['updates without end', alice.sign({ type: 'promote', value: null, nonce: 0, chainId: 'bank' }), TX_CODES.outOfGas],
    ['a long answer', alice.sign({ type: 'repeat', value: 1_000_000, nonce: 0, chainId: 'bank' }), TX_CODES.outOfGas],
    ['a promise', alice.sign({ type: 'later', value: null, nonce: 0, chainId: 'bank' }), TX_CODES.failed],
  ])('refused: %s', async (_name, tx, code) => {
    const errors: unknown[] = []
    await using chain = await startChain(() => createBank({ onError: (error) => errors.push(error) }))
    const outcome = await chain.broadcast(tx)
    expect([outcome.code, outcome.height]).toEqual([code, 0])
    expect(errors).toHaveLength(code === TX_CODES.failed ? 1 : 0)
    // The refused transaction has not used its nonce.
    expect((await chain.broadcast(transfer(alice, 'x', { amount: 1n, nonce: 0 }))).code).toBe(0)
  })

  test('a transaction with one changed byte is refused', async () => {
    await using chain = await startChain()
    const tx = transfer(alice, bob.address, { amount: 1n, nonce: 0 })
    for (let at = 0; at < tx.length; at += 7) {
      const changed = Uint8Array.from(tx)
      changed[at] = (changed[at] as number) ^ 1
      expect((await chain.broadcast(changed)).code, bytesToUtf8(changed)).toBeGreaterThan(0)
    }
    const lower = bytesToUtf8(tx).replace(/"key":"[0-9A-F]+"/, (text) => text.toLowerCase())
    expect((await chain.broadcast(lower)).code).toBe(TX_CODES.malformed)
  })

  test('several transactions of one account are in one block, and a refused one in a block only takes its nonce', async () => {
    const app = createBank()
    const appStateBytes = utf8ToBytes(JSON.stringify(appState))
    await app.initChain(RequestInitChain.create({ chainId: 'bank', initialHeight: 1, appStateBytes }))
    const txs = [
      transfer(alice, 'x', { amount: 10n, nonce: 0 }),
      transfer(alice, 'x', { amount: 1000n, nonce: 1 }),
      transfer(alice, 'x', { amount: 5n, nonce: 2 }),
      transfer(alice, 'x', { amount: 5n, nonce: 2 }),
    ]
    const { txResults = [] } = await app.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs }))
    expect(txResults.map(({ code }) => code)).toEqual([0, 10, 0, TX_CODES.badNonce])
    // After a crash before Commit, the node sends the same block again.
    const again = await app.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs }))
    await app.commit({})
    const { lastBlockAppHash, lastBlockHeight } = await app.info(RequestInfo.create({}))
    expect([lastBlockAppHash, lastBlockHeight]).toEqual([again.appHash, 1])
    const { value } = await app.query(RequestQuery.create({ path: '/balance', data: utf8ToBytes('"x"') }))
    expect(bytesToUtf8(value as Uint8Array)).toBe('"15"')
  })

  test('an error for too little memory is no result of a transaction, because other nodes may have more memory', async () => {
    const app = createBank()
    const appStateBytes = utf8ToBytes('{}')
    await app.initChain(RequestInitChain.create({ chainId: 'bank', initialHeight: 1, appStateBytes }))
    const txs = [alice.sign({ type: 'exhaust', value: null, nonce: 0, chainId: 'bank' })]
    await expect(async () => app.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs }))).rejects.toThrow(
      'Array buffer allocation failed',
    )
  })

  test('four validators agree', async () => {
    await using chain = await startChain(() => createBank(), 4)
    for (let nonce = 0; nonce < 5; nonce++) {
      expect((await chain.broadcast(transfer(alice, `friend ${nonce}`, { amount: 2n, nonce }))).code).toBe(0)
    }
    expect(await answerOf(chain, '/balance', alice.address)).toBe('90')
  })

  test('an app_state that does not fit is refused with its path', async () => {
    const chain = createChain({ app: () => createBank(), genesis: { appState: { alice: -5 } } })
    await expect(chain).rejects.toThrow(/alice/)
  })
})

describe('proofs of the state', () => {
  test('the light client verifies values and absence', async () => {
    await using chain = await startChain()
    await chain.broadcast(transfer(alice, bob.address, { amount: 30n, nonce: 0 }))
    await chain.advance({ blocks: 2 })
    const { blockId } = await chain.client.block({ height: 1 })
    const verified = await createVerifiedClient({
      client: chain.client,
      trust: { chainId: 'bank', height: 1, hash: blockId.hash, period: 10n ** 18n },
      witnesses: [createRpcProvider({ chainId: 'bank', name: 'witness' }, { client: chain.client })],
      operators: ics23Operators,
      clock: { ...createSystemClock(), now: () => chain.time() },
    })
    const ask = (owner: string) =>
      verified.abciQuery({ path: '/state', data: balances.key(owner), height: chain.height() - 1 })
    const { response } = await ask(bob.address)
    expect(balances.decode(response.value)).toBe(30n)
    expect(balances.decode((await ask('nobody')).response.value)).toBeUndefined()
  })
})
