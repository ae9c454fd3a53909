import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Application } from '@org/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { type Chain, type ChainOptions, createChain } from '../src/index.ts'

/** Counts transactions, and keeps the time of the last block. */
function counter(): Application {
  let [height, total, time] = [0, 0, 0n]
  return {
    info: () => ({ lastBlockHeight: height, lastBlockAppHash: utf8ToBytes(String(total)) }),
    checkTx: ({ tx }) => ({ code: tx.length <= 10 ? 0 : 1, log: 'at most 10 bytes' }),
    finalizeBlock: (block) => {
      height = block.height
      time = block.time
      total += block.txs.length
      return {
        txResults: block.txs.map((tx) => ({ data: tx, gasUsed: 7n })),
        appHash: utf8ToBytes(String(total)),
      }
    },
    query: ({ path }) => ({ value: utf8ToBytes(String(path === '/time' ? time : total)) }),
  }
}

function start(options: Partial<ChainOptions> = {}): Promise<Chain> {
  return createChain({ app: counter, ...options })
}

const total = async (of: Chain): Promise<string> => bytesToUtf8((await of.query('/total')).value)

describe('a chain for tests of applications', () => {
  test('default: a transaction is committed when broadcast resolves, and found', async () => {
    await using one = await start()
    expect(one.height()).toBe(0)
    const sent = await one.broadcast('a=1')
    expect(sent).toMatchObject({ code: 0, height: 1, index: 0, gasUsed: 7n })
    expect(one.height()).toBe(1)
    expect(one.block(1)?.data.txs.map(bytesToUtf8)).toEqual(['a=1'])
    expect(one.results(1).txResults).toHaveLength(1)
    expect((await one.tx(sent.hash))?.height).toBe(1)
    expect(await total(one)).toBe('1')
    await one.advance({ blocks: 3 })
    expect(one.height()).toBe(4)
  })

  test('default: the example of the README', async () => {
    const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'readme-'))
    try {
      const file = join(folder, 'example.ts')
      writeFileSync(
        file,
        `${code.replace('@org/simnet', new URL('../src/index.ts', import.meta.url).pathname)}\nexport { code, height, value }\n`,
      )
      const exported = (await import(file)) as { code: number; height: number; value: Uint8Array }
      expect([exported.code, exported.height, bytesToUtf8(exported.value)]).toEqual([0, 1, 'satoshi'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('behavior: a transaction that CheckTx refuses is in no block, and without automine a transaction waits', async () => {
    await using one = await start({ automine: false })
    expect(await one.broadcast('much too long')).toMatchObject({ code: 1, log: 'at most 10 bytes', height: 0 })
    await one.broadcast('a')
    await one.broadcast('b')
    expect(one.height()).toBe(0)
    await one.advance()
    expect(one.block()?.data.txs.map(bytesToUtf8)).toEqual(['a', 'b'])
  })

  test('behavior: the clock stands still between calls, and jumps', async () => {
    await using one = await start({ blockTime: 5000 })
    await one.advance()
    const before = one.time()
    await one.advance({ time: 3_600_000 })
    expect(one.height()).toBeLessThan(5)
    expect(one.time() - before).toBeGreaterThanOrEqual(3_600_000_000_000n)
    expect(bytesToUtf8((await one.query('/time')).value)).toBe(String(one.time()))
    const [height, time] = [one.height(), one.time()]
    await one.advance({ blocks: 2 })
    expect(one.height()).toBe(height + 2)
    expect(one.time() - time).toBeGreaterThanOrEqual(9_900_000_000n)
  })

  test('behavior: a chain reverts to a snapshot more than once', async () => {
    await using one = await start()
    await one.broadcast('a')
    const snapshot = await one.snapshot()
    for (const tx of ['b', 'c']) {
      await one.broadcast(tx)
      expect(await total(one)).toBe('2')
      await one.revert(snapshot)
      expect([one.height(), await total(one)]).toEqual([1, '1'])
    }
    // The revert emptied the mempool's cache too, so the same transaction is accepted again.
    expect(await one.broadcast('b')).toMatchObject({ height: 2 })
  })

  test('behavior: a revert waits for earlier calls, and later calls wait for the revert', async () => {
    await using one = await start()
    await one.broadcast('a')
    const snapshot = await one.snapshot()
    const sent = one.broadcast('b')
    const moment = one.snapshot()
    const back = one.revert(snapshot)
    const [asked, later, again] = [total(one), one.broadcast('c'), one.revert(snapshot)]
    expect(await sent).toMatchObject({ height: 2 })
    expect((await moment).height).toBe(2)
    await back
    expect(await asked).toBe('1')
    expect(await later).toMatchObject({ height: 2 })
    await again
    expect([one.height(), await total(one)]).toEqual([1, '1'])
    await one.stop()
    await expect(one.revert(snapshot)).rejects.toMatchObject({ code: 'CHAIN_STOPPED' })
  })

  test('behavior: four validators agree, and one of them may have most of the power', async () => {
    await using four = await start({ validators: 4, powers: [100n] })
    expect(await four.broadcast('a')).toMatchObject({ code: 0 })
    expect(four.validators().map(({ votingPower }) => votingPower)).toEqual([100n, 10n, 10n, 10n])
    const snapshot = await four.snapshot()
    await four.advance({ blocks: 5 })
    expect(four.block()?.lastCommit?.signatures.length).toBe(4)
    await four.revert(snapshot)
    expect(four.height()).toBe(snapshot.height)
    expect(await four.broadcast('b')).toMatchObject({ code: 0, height: snapshot.height + 1 })
  })

  test('behavior: a thousand empty blocks', async () => {
    await using one = await start()
    await one.advance({ blocks: 1000 })
    expect(one.height()).toBe(1000)
  })

  test('error: an application that throws stops the chain, and the error reports it', async () => {
    await using one = await start({
      app: {
        finalizeBlock: () => {
          throw new Error('no such account')
        },
      },
    })
    await expect(one.advance()).rejects.toMatchObject({
      code: 'CHAIN_HALTED',
      message: expect.stringContaining('no such account'),
    })
  })

  test.each([
    { validators: 0 },
    { validators: -1 },
    { validators: 1.5 },
    { validators: 1, powers: [10n, 10n] },
    { powers: [0n] },
    { blockTime: 0 },
    { blockTime: -5 },
    { blockTime: 0.5 },
    { blockTime: Number.POSITIVE_INFINITY },
    { answerWithin: Number.NaN },
    { app: undefined as never },
  ])('error: refuses the option %o', async (options) => {
    await expect(createChain({ app: counter, ...options })).rejects.toMatchObject({ code: 'CHAIN_BAD_OPTION' })
  })

  test('error: a chain goes back to its own snapshots', async () => {
    await using one = await start()
    await using other = await start()
    await expect(one.revert(await other.snapshot())).rejects.toMatchObject({ code: 'CHAIN_BAD_OPTION' })
    await one.advance()
  })

  test('error: refuses to advance by half a block or an invalid time', async () => {
    await using one = await start()
    const { NaN: none, POSITIVE_INFINITY: ever } = Number
    for (const by of [
      { time: none },
      { time: ever },
      { time: -1 },
      { blocks: none },
      { blocks: 0.5 },
      { blocks: -1 },
    ]) {
      await expect(one.advance(by)).rejects.toMatchObject({ code: 'CHAIN_BAD_OPTION' })
    }
    await one.advance({ time: 0.5 })
    expect(one.height()).toBeLessThanOrEqual(2)
  })

  test('behavior: advances by one block per day', async () => {
    const blockTime = 86_400_000
    await using one = await start({ blockTime })
    await one.broadcast('a')
    const before = one.time()
    expect(await one.broadcast('b')).toMatchObject({ height: 2 })
    await one.advance({ blocks: 3 })
    expect(Number(one.time() - before) / 1e6 / blockTime).toBeCloseTo(4, 1)
  })

  test('error: an application that is one object cannot revert or serve two nodes', async () => {
    await using one = await start({ app: counter() })
    const snapshot = await one.snapshot()
    await expect(one.revert(snapshot)).rejects.toMatchObject({ code: 'CHAIN_NEEDS_FACTORY' })
    await expect(createChain({ app: counter(), validators: 2 })).rejects.toMatchObject({ code: 'CHAIN_NEEDS_FACTORY' })
  })
})
