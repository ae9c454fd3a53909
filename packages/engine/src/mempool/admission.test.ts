import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { ExecTxResult, type RequestCheckTx, ResponseCheckTx } from '@org/types/abci'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFloodMempool } from './flood-mempool.ts'
import type { Mempool } from './mempool.ts'
import { DEFAULT_MEMPOOL_OPTIONS } from './options.ts'

type Check = (request: RequestCheckTx) => ResponseCheckTx | Promise<ResponseCheckTx>

function poolOver(checkTx: Check, options = {}): Mempool {
  const app = { checkTx, flush: () => Promise.resolve(), onError: () => undefined }
  const modules = { app, clock: createVirtualClock(), logger: noopLogger, metrics: noopMetrics }
  return createFloodMempool({ ...DEFAULT_MEMPOOL_OPTIONS, ...options }, modules)
}

const codeOf = (tx: Uint8Array): number => ((tx[0] as number) % 5 === 0 ? 1 : 0)
const answer: Check = ({ tx }) => ResponseCheckTx.create({ code: codeOf(tx), gasWanted: 1n })

test('default: an immediate answer of the application is returned at once, and the transaction is in the pool', () => {
  const pool = poolOver(answer)
  const seen: number[] = []
  pool.onEntry(() => seen.push(pool.size()))
  expect(pool.checkTxNow(Uint8Array.of(1))).toMatchObject({ code: 0 })
  expect(pool.checkTxNow(Uint8Array.of(5))).toMatchObject({ code: 1 })
  expect(pool.reapMaxTxs(-1)).toEqual([Uint8Array.of(1)])
  expect(seen).toEqual([1])
  expect(() => pool.checkTxNow(Uint8Array.of(1))).toThrow('tx already exists in cache')
  expect(pool.offerTx(Uint8Array.of(1))).toBe(undefined)
  expect(pool.offerTx(Uint8Array.of(2))).toMatchObject({ code: 0 })
})

test('behavior: checks wait while a commit holds the lock, and are then answered in order', async () => {
  const pool = poolOver(answer)
  const release = await pool.lock()
  const answers = [1, 5, 2].map((n) => pool.checkTxNow(Uint8Array.of(n)))
  expect(answers.every((one) => one instanceof Promise)).toBe(true)
  expect(pool.size()).toBe(0)
  release()
  expect((await Promise.all(answers.map(async (one) => one))).map(({ code }) => code)).toEqual([0, 1, 0])
  expect(pool.reapMaxTxs(-1)).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
})

test.each([
  ['an immediate answer', answer],
  ['a late answer', async (request: RequestCheckTx) => answer(request)],
])(
  'behavior: neither the pool nor a request keeps the long buffer of a short transaction after %s',
  async (_name, check) => {
    const requests: RequestCheckTx[] = []
    const pool = poolOver((request) => {
      requests.push(request)
      return check(request)
    })
    for (const n of [1, 2]) await pool.checkTx(new Uint8Array(32 * 1024).fill(n).subarray(0, 250))
    const kept = pool.reapMaxTxs(-1)
    expect(kept.map(([first]) => first)).toEqual([1, 2])
    expect(Math.max(...kept.map(({ buffer }) => buffer.byteLength))).toBeLessThanOrEqual(16 * 1024)
    expect(requests.map(({ tx }) => tx.buffer)).toEqual(kept.map(({ buffer }) => buffer))
  },
)

test('behavior: immediate and late answers lead to the same pool', async () => {
  const txs = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 25 })
  const limits = fc.record({
    size: fc.integer({ min: 1, max: 6 }),
    maxTxsBytes: fc.integer({ min: 1, max: 60 }),
    cacheSize: fc.constantFrom(0, 3, 100),
    keepInvalidTxsInCache: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(txs, txs, limits, async (before, after, options) => {
      const run = async (check: Check): Promise<unknown> => {
        const rejected = new Set<number>()
        const pool = poolOver(
          (request) => (rejected.has(request.tx[0] as number) ? ResponseCheckTx.create({ code: 3 }) : check(request)),
          options,
        )
        const answers: unknown[] = []
        const offer = async (n: number): Promise<void> => {
          const tx = new Uint8Array(n + 1).fill(n)
          answers.push(
            await pool.checkTx(tx).then(
              ({ code }) => code,
              (error: Error) => error.message,
            ),
          )
        }
        for (const n of before) await offer(n)
        const committed = pool.reapMaxTxs(2)
        for (const n of [3, 4]) rejected.add(n)
        const release = await pool.lock()
        await pool.flushAppConn()
        await pool.update({ height: 2, txs: committed, txResults: committed.map(() => ExecTxResult.create()) })
        release()
        await pool.reapMaxBytesMaxGas(-1, -1n)
        for (const n of after) await offer(n)
        return [answers, pool.reapMaxTxs(-1), pool.size(), pool.sizeBytes()]
      }
      expect(await run(answer)).toEqual(await run(async (request) => answer(request)))
    }),
    { numRuns: 200 },
  )
})

test('error: an application that throws counts as one that rejects, and the transaction may come again', async () => {
  let fails = true
  const pool = poolOver((request) => {
    if (fails) throw new Error('no')
    return answer(request)
  })
  const submitted: string[] = []
  const asked = pool.checkTxNow(Uint8Array.of(1), { onSubmitted: () => submitted.push('asked') })
  await expect(asked).rejects.toMatchObject({ code: 'MEMPOOL_APP_CONNECTION', message: 'appConn mempool: no' })
  expect(submitted).toEqual(['asked'])
  fails = false
  expect(pool.checkTxNow(Uint8Array.of(1))).toMatchObject({ code: 0 })
})
