import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { txsProtoSize } from '@org/types'
import { ExecTxResult } from '@org/types/abci'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScriptedApp } from '../../test/mempool/scripted-app.ts'
import { createFloodMempool } from './flood-mempool.ts'
import { DEFAULT_MEMPOOL_OPTIONS } from './options.ts'

const turns = async (): Promise<void> => {
  for (let i = 0; i < 30; i++) await Promise.resolve()
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('check' as const), tx: fc.nat({ max: 15 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('answer' as const), count: fc.nat({ max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      txs: fc.uniqueArray(fc.nat({ max: 15 }), { maxLength: 5 }),
      code: fc.constantFrom(0, 0, 1),
      invalid: fc.uniqueArray(fc.nat({ max: 15 }), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('timeout' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reap' as const), bytes: fc.nat({ max: 60 }) }) },
)

/** Makes transaction `n`, which consists of `n + 1` bytes with the value `n`. */
const txOf = (n: number): Uint8Array => new Uint8Array(n + 1).fill(n)

test('behavior: after any calls, limits hold, the order is that of arrival, and reaping takes from the front', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.record({
        size: fc.integer({ min: 1, max: 8 }),
        maxTxsBytes: fc.integer({ min: 10, max: 60 }),
        cacheSize: fc.constantFrom(0, 3, 100),
        keepInvalidTxsInCache: fc.boolean(),
      }),
      async (steps, limits) => {
        const app = createScriptedApp()
        app.immediate = false
        let invalid = new Set<number>()
        app.rule = ({ tx }) => ({ code: invalid.has(tx[0] as number) ? 1 : 0, gasWanted: 1n })
        const clock = createVirtualClock()
        const pool = createFloodMempool(
          { ...DEFAULT_MEMPOOL_OPTIONS, ...limits },
          { app, clock, logger: noopLogger, metrics: noopMetrics },
        )
        const cursor = pool.entries()
        const walked: number[] = []
        const walk = (): void => {
          for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) walked.push(entry.tx[0] as number)
        }
        const arrived: number[] = []
        pool.onEntry(() => arrived.push(pool.reapMaxTxs(-1).at(-1)?.[0] as number))
        const now = (): number[] => pool.reapMaxTxs(-1).map((tx) => tx[0] as number)
        for (const given of steps) {
          if (given.kind === 'check') pool.checkTx(txOf(given.tx)).catch(() => undefined)
          else if (given.kind === 'answer') await app.answer(given.count)
          else if (given.kind === 'timeout') clock.advance(DEFAULT_MEMPOOL_OPTIONS.recheckTimeout)
          else if (given.kind === 'flush') pool.flush()
          else if (given.kind === 'reap') {
            const reaped = pool.reapMaxBytesMaxGas(given.bytes, 5n)
            await app.answer()
            const txs = await reaped
            expect(txsProtoSize(txs)).toBeLessThanOrEqual(given.bytes)
            expect(txs.length).toBeLessThanOrEqual(5)
            expect(txs).toEqual(pool.reapMaxTxs(-1).slice(0, txs.length))
          } else {
            const release = await pool.lock()
            const flushed = pool.flushAppConn()
            await app.answer()
            await flushed
            invalid = new Set(given.invalid)
            const txs = given.txs.map(txOf)
            const txResults = txs.map(() => ExecTxResult.create({ code: given.code }))
            await pool.update({ height: 1, txs, txResults })
            expect(now().some((n) => given.txs.includes(n))).toBe(false)
            release()
          }
          await turns()
          const present = now()
          expect(pool.size()).toBe(present.length)
          expect(new Set(present).size).toBe(present.length)
          expect(pool.size()).toBeLessThanOrEqual(limits.size)
          expect(pool.sizeBytes()).toBe(present.reduce((sum, n) => sum + n + 1, 0))
          expect(pool.sizeBytes()).toBeLessThanOrEqual(limits.maxTxsBytes)
          // The pool contains only transactions that arrived, in the order of their arrival.
          let at = arrived.length
          for (const n of present.toReversed()) {
            at = arrived.lastIndexOf(n, at - 1)
            expect(at).toBeGreaterThanOrEqual(0)
          }
          walk()
          if (present.length > 0) expect(walked).toContain(present.at(-1))
        }
        // The cursor of a peer returned transactions in the order of their arrival, and each arrival at most once.
        let seen = 0
        for (const n of walked) seen = arrived.indexOf(n, seen) + 1
        expect(walked.length === 0 || seen > 0).toBe(true)
        // When the application has answered all checks, the mempool has no timer left. A timer would keep the process
        // alive.
        await app.answer()
        await turns()
        await app.answer()
        clock.advance(10_000)
        expect(clock.pending()).toBe(0)
      },
    ),
    { numRuns: 300 },
  )
})
