import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Application } from '@org/abci'
import { hashHeader } from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { createTallyApp } from '../src/app/index.ts'
import { createChain, createNetwork } from '../src/index.ts'

type Method = (request: never) => unknown
type Wait = () => Promise<unknown>

/** Returns an application that waits before each of its answers, and otherwise behaves as `app` does. */
function waiting(app: Application, wait: Wait | undefined): Application {
  if (wait === undefined) return app
  const methods = Object.entries(app).map(([name, method]: [string, Method]) => {
    const slow = async (request: never): Promise<unknown> => {
      await wait()
      return method.call(app, request)
    }
    return [name, slow] as const
  })
  return Object.fromEntries(methods)
}

let turns = 0
/** Successive calls wait for different times, from 0 to 3 milliseconds. */
const timers: Wait = () => setTimeout(turns++ % 4)
const files: Wait = () => readFile(new URL(import.meta.url))
const promises: Wait = () => Promise.resolve()

function counter(): Application {
  let [height, total] = [0, 0]
  const hash = (): Uint8Array => utf8ToBytes(String(total))
  return {
    info: () => ({ lastBlockHeight: height, lastBlockAppHash: hash() }),
    checkTx: () => ({ code: 0 }),
    finalizeBlock: (block) => {
      height = block.height
      total += block.txs.length
      return { txResults: block.txs.map(() => ({ code: 0 })), appHash: hash() }
    },
    commit: () => ({}),
    query: () => ({ value: hash() }),
  }
}

describe('an application that works in real time', () => {
  test.each([1, 2])('default: a chain of %i is the one of an application that answers at once', async (validators) => {
    const seen: unknown[] = []
    for (const wait of [undefined, promises, timers, files]) {
      await using chain = await createChain({ app: () => waiting(counter(), wait), validators })
      await chain.broadcast('a')
      const { height } = chain
      const before = height()
      for (let i = 0; i < 3; i++) await chain.query('/total')
      expect(height()).toBe(before)
      await Promise.all([chain.broadcast('b'), chain.broadcast('c')])
      await Promise.all([chain.advance({ blocks: 3 }), chain.advance({ blocks: 5 })])
      await chain.advance({ time: 3_600_000 })
      const block = chain.block()
      seen.push([height(), chain.time(), block && bytesToHex(hashHeader(block.header) ?? new Uint8Array(0))])
    }
    expect(seen).toEqual(Array(4).fill(seen[0]))
  })

  test('default: a network gives one trace per seed, for any response time of its applications', async () => {
    const seen: string[] = []
    for (const wait of [promises, timers, files]) {
      const network = createNetwork({
        seed: 3,
        validators: 4,
        txEveryMs: 40,
        appDelayMs: [0, 5],
        faults: [
          { kind: 'crash', at: 700, node: 1, crash: 'power', downMs: 300 },
          { kind: 'appDelay', at: 400, node: 2, delayMs: 60, forMs: 500 },
        ],
        app: (home) => waiting(createTallyApp(home), wait),
      })
      network.start()
      await network.pass(2500)
      expect(network.height()).toBeGreaterThan(1)
      expect(network.monitor.violations()).toEqual([])
      seen.push(network.trace.digest())
    }
    expect(new Set(seen).size).toBe(1)
  })

  test.each(['info', 'finalizeBlock', 'checkTx', 'query'])('error: %s is never answered', async (method) => {
    const app = { ...counter(), [method]: () => new Promise(() => undefined) } as Application
    const use = async (): Promise<void> => {
      await using chain = await createChain({ app, answerWithin: 50 })
      await chain.broadcast('a')
      await chain.query('/total')
    }
    await expect(use()).rejects.toMatchObject({
      code: 'CHAIN_STUCK',
      message: `the application does not answer: n0: ${method}: no answer in 0.05 s`,
    })
  })

  test('behavior: after an unanswered call a chain goes back to a snapshot', async () => {
    let silent = false
    const app = (): Application => ({
      ...counter(),
      query: () => (silent ? new Promise(() => undefined) : { log: 'here' }),
    })
    await using chain = await createChain({ app, answerWithin: 50 })
    await chain.advance({ blocks: 2 })
    const snapshot = await chain.snapshot()
    silent = true
    await expect(chain.query('/')).rejects.toMatchObject({ code: 'CHAIN_STUCK', data: { height: 2 } })
    await expect(chain.advance()).rejects.toMatchObject({ code: 'CHAIN_STUCK' })
    silent = false
    await chain.revert(snapshot)
    expect(await chain.query('/')).toMatchObject({ log: 'here' })
    await chain.advance()
    expect(chain.height()).toBe(3)
  })
})
