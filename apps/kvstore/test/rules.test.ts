import { RequestFinalizeBlock, ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToBase64, bytesToHex } from '@org/types/bytes'
import { addressOf } from '@org/types/crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKvStore, RULES, type RulesName } from '../src/index.ts'
import { commitBlock, storedUnder, text } from './helpers.ts'

const key = bytesToBase64(new Uint8Array(32).fill(7))
const shortKey = bytesToBase64(new Uint8Array(31).fill(7))

async function codeOf(rules: RulesName, tx: string): Promise<number> {
  return (await createKvStore({ rules }).checkTx({ tx: text(tx), type: 0 })).code ?? 0
}

describe('default: CheckTx', () => {
  test.each([
    ['a=b', 0, 0],
    ['a:b', 0, 0],
    ['noequals', 2, 0],
    ['a=b=c', 2, 0],
    ['a:b:c', 2, 0],
    ['a=b:c', 2, 0],
    ['=v', 2, 0],
    ['k=', 2, 0],
    [':v', 2, 0],
    ['=', 2, 0],
    ['', 2, 2],
    ['val=5', 2, 0],
    ['val=hello', 2, 0],
    ['val=hi!5', 2, 0],
    ['val=', 2, 0],
    [`val=ed25519!${key}!10`, 0, 0],
    [`val=!${key}!10`, 0, 0],
    [`val=ed25519!${key}!+10`, 0, 0],
    [`val=ed25519!${key}!+0000000000000000000000010`, 0, 0],
    [`val=ed25519!${key}!000`, 0, 0],
    [`val=ed25519!${key}!000x`, 2, 2],
    [`val=ed25519!${key}!-0`, 0, 0],
    [`val=ed25519!${key}!-1`, 2, 2],
    [`val=ed25519!${key}!1e3`, 2, 2],
    [`val=ed25519!${key}!`, 2, 2],
    [`val=ed25519!${key}!9223372036854775808`, 2, 2],
    [`val=ed25519!${key}!00000000000000000000000000000000005`, 0, 0],
    ['val=ed25519!%%!1', 2, 2],
    // The reference accepts these transactions into its mempool, and stops when a block contains one of them.
    [`val=ed25519!${key}!9223372036854775807`, 0, 2],
    [`val=ed25519!${shortKey}!1`, 0, 2],
    [`val=unknown!${key}!1`, 0, 2],
  ])('%s: %i under v0.38, %i under the rules of the document', async (tx, v038, document) => {
    expect(await codeOf('v0.38', tx)).toBe(v038)
    expect(await codeOf('first-equals', tx)).toBe(document)
    expect(await codeOf('document', tx)).toBe(document)
  })
})

describe('default: the stored pairs', () => {
  test('the first “=” splits, and without one all bytes are key and value', async () => {
    const app = createKvStore({})
    const response = await commitBlock(app, 1, ['k=v', 'plain', 'a=b=c', '=x', 'y=', 'p:q', 'val=5', '\u0000=\u0001='])
    expect(app.rules()).toBe('first-equals')
    const pairs = [
      ['k', 'v'],
      ['plain', 'plain'],
      ['a', 'b=c'],
      ['', 'x'],
      ['y', ''],
      ['p:q', 'p:q'],
      ['val', '5'],
      ['\u0000', '\u0001='],
    ] as const
    for (const [name, value] of pairs) expect(await storedUnder(app, name), name).toBe(value)
    for (const whole of ['a=b=c', '=x', 'y=']) expect(await storedUnder(app, whole)).toBeUndefined()
    const values = response.txResults?.map(({ events }) => events.map(({ attributes }) => attributes[1]?.value))
    expect(values).toEqual(pairs)
    expect((await app.info({} as never)).data).toBe('{"size":8}')
  })

  test('“=” alone is an empty key with an empty value', async () => {
    const app = createKvStore({})
    await commitBlock(app, 1, ['='])
    expect(await storedUnder(app, '')).toBe('')
  })

  test('under `document` a transaction with more than one “=” is key and value', async () => {
    const app = createKvStore({ rules: 'document' })
    await commitBlock(app, 1, ['k=v', 'plain', 'a=b=c', '=x', 'y=', 'p:q'])
    expect(await storedUnder(app, 'k')).toBe('v')
    for (const both of ['plain', 'a=b=c', '=x', 'y=', 'p:q']) expect(await storedUnder(app, both)).toBe(both)
    expect(await storedUnder(app, 'p')).toBeUndefined()
    const { data, lastBlockHeight, version, appVersion } = await app.info({} as never)
    expect({ data, lastBlockHeight, version, appVersion }).toEqual({
      data: '{"size":6}',
      lastBlockHeight: 1,
      version: '2.0.0',
      appVersion: 1n,
    })
  })

  test('a proposal is never rewritten under the rules of the document; under v0.38 “:” becomes “=”', async () => {
    const txs = ['k=v', 'p:q', 'bad', 'a=b=c'].map(text)
    const proposed = async (rules: RulesName) => {
      const answer = await createKvStore({ rules }).prepareProposal({ txs, maxTxBytes: 1000n } as never)
      return (answer.txs ?? []).map((tx) => new TextDecoder().decode(tx))
    }
    expect(await proposed('first-equals')).toEqual(['k=v', 'p:q', 'bad', 'a=b=c'])
    expect(await proposed('document')).toEqual(['k=v', 'p:q', 'bad', 'a=b=c'])
    expect(await proposed('v0.38')).toEqual(['k=v', 'p=q'])
  })
})

describe.each(['first-equals', 'document'] as const)(
  'behavior: v0.38 and %s agree on transactions that both accept',
  (rules) => {
    const piece = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('a', '=', ':', 'val=', '!', '', 'k=v'))
    const transaction = fc
      .oneof(
        fc.array(piece, { maxLength: 4 }).map((pieces) => text(pieces.join(''))),
        fc.uint8Array({ maxLength: 20 }),
        fc
          .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(100))
          .map(([bytes, power]) => text(`val=ed25519!${bytesToBase64(bytes)}!${power + 1}`)),
      )
      .filter((tx) => tx.length > 0)

    test('the same results, events, validators and hashes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(transaction, { maxLength: 5 }), { maxLength: 4 }), async (blocks) => {
          const reference = createKvStore({ rules: 'v0.38' })
          const ours = createKvStore({ rules })
          for (const [index, txs] of blocks.entries()) {
            const both: Uint8Array[] = []
            for (const tx of txs) {
              const codes = [await reference.checkTx({ tx, type: 0 }), await ours.checkTx({ tx, type: 0 })]
              const isColonPair = tx.includes(0x3a) && !tx.includes(0x3d)
              if (codes.every(({ code }) => code === 0) && !isColonPair) both.push(tx)
            }
            const request = RequestFinalizeBlock.create({ height: index + 1, txs: both })
            const [a, b] = [await reference.finalizeBlock(request), await ours.finalizeBlock(request)]
            expect(bytesToHex(ResponseFinalizeBlock.encode(ResponseFinalizeBlock.create(b)))).toBe(
              bytesToHex(ResponseFinalizeBlock.encode(ResponseFinalizeBlock.create(a))),
            )
            await Promise.all([reference.commit({}), ours.commit({})])
          }
          expect(await ours.info({} as never)).toEqual(await reference.info({} as never))
        }),
        { numRuns: 200 },
      )
    })

    test('no transaction in a block stops the rules of the document', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 })), async (txs) => {
          const app = createKvStore({ rules })
          const answer = await app.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs }))
          expect(answer.txResults?.map(({ code }) => code === 0)).toEqual(txs.map((tx) => tx.length > 0))
          await app.commit({})
        }),
      )
    })
  },
)

describe('behavior: validators', () => {
  const bytesOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
  const update = (byte: number, power: bigint) => ({
    pubKey: { type: 'ed25519', bytes: bytesOf(byte) } as const,
    power,
  })
  const change = (byte: number, power: number): string => `val=ed25519!${bytesToBase64(bytesOf(byte))}!${power}`

  async function started(rules: RulesName) {
    const app = createKvStore({ rules })
    await app.initChain({ validators: [update(1, 10n), update(2, 10n)] } as never)
    return app
  }

  test('the rules of the document ignore a change that would stop the node', async () => {
    const app = await started('document')
    const powers = async (height: number, txs: string[]) =>
      ((await commitBlock(app, height, txs)).validatorUpdates ?? []).map(({ pubKey, power }) => [
        pubKey.bytes[0],
        power,
      ])
    expect(await powers(1, [change(3, 5), change(3, 6)])).toEqual([[3, 6n]])
    expect(await powers(2, [change(9, 0)])).toEqual([])
    expect(await powers(3, [change(1, 0), change(2, 0), change(3, 0)])).toEqual([
      [1, 0n],
      [2, 0n],
    ])
    const { value } = await app.query({ data: bytesOf(3), path: '/val', height: 0, prove: false })
    expect(value?.length).toBeGreaterThan(32)
    expect((await app.query({ data: bytesOf(1), path: '/val', height: 0, prove: false })).value).toHaveLength(0)
  })

  test('v0.38 returns all changes unchanged', async () => {
    const app = await started('v0.38')
    const { validatorUpdates } = await commitBlock(app, 1, [change(3, 5), change(3, 6), change(9, 0)])
    expect(validatorUpdates?.map(({ power }) => power)).toEqual([5n, 6n, 0n])
  })

  test.each(RULES)('equivocation lowers the power by one: %s', async (rules) => {
    const app = await started(rules)
    const address = addressOf(update(2, 0n).pubKey)
    const misbehavior = [{ type: 1, validator: { address, power: 10n }, height: 1, time: 0n, totalVotingPower: 20n }]
    const answer = await app.finalizeBlock(RequestFinalizeBlock.create({ height: 2, misbehavior } as never))
    expect(answer.validatorUpdates).toEqual([update(2, 9n)])
  })

  test('error: misbehaviour of an unknown validator stops v0.38, as the reference', async () => {
    const misbehavior = [{ type: 1, validator: { address: bytesOf(5), power: 1n } }] as never
    const request = RequestFinalizeBlock.create({ height: 2, misbehavior })
    expect((await (await started('document')).finalizeBlock(request)).validatorUpdates).toEqual([])
    const strict = await started('v0.38')
    await expect(async () => await strict.finalizeBlock(request)).rejects.toMatchObject({
      code: 'KVSTORE_UNKNOWN_VALIDATOR',
    })
  })

  test('under the rules of the document a chain with ed25519 keys only refuses other keys', async () => {
    const app = createKvStore({ rules: 'document' })
    const tx = text(`val=secp256k1!${bytesToBase64(new Uint8Array(33).fill(2))}!1`)
    expect((await app.checkTx({ tx, type: 0 })).code).toBe(0)
    await app.initChain({ validators: [], consensusParams: { validator: { pubKeyTypes: ['ed25519'] } } } as never)
    expect((await app.checkTx({ tx, type: 0 })).code).toBe(2)
  })
})

describe('behavior: a block that is executed but not committed', () => {
  test('v0.38 shows it in Info, as the reference does; the rules of the document do not, and may execute it again', async () => {
    for (const rules of RULES) {
      const app = createKvStore({ rules })
      await commitBlock(app, 1, ['a=1'])
      const request = RequestFinalizeBlock.create({ height: 2, txs: [text('b=2')] })
      const first = await app.finalizeBlock(request)
      const { lastBlockHeight, data } = await app.info({} as never)
      expect([lastBlockHeight, data]).toEqual(rules === 'v0.38' ? [2, '{"size":2}'] : [1, '{"size":1}'])
      if (rules !== 'v0.38') expect(await app.finalizeBlock(request)).toEqual(first)
    }
  })

  test('error: v0.38 cannot commit a transaction without exactly one “=”', async () => {
    const app = createKvStore({ rules: 'v0.38' })
    await app.finalizeBlock(RequestFinalizeBlock.create({ height: 1, txs: [text('plain')] }))
    await expect(async () => await app.commit({})).rejects.toMatchObject({ code: 'KVSTORE_BAD_TRANSACTION' })
  })
})
