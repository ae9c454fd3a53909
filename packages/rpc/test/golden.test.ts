import { readFileSync } from 'node:fs'
import {
  createSender,
  type DeviationRule,
  type Exchange,
  explainDifferences,
  globToRegExp,
  judge,
  recordingJson,
  recordingLines,
  type VolatileRule,
} from '@org/golden'
import { describe, expect, test } from 'vitest'
import { createRpc, type RpcOptions } from '../src/index.ts'
import { createDumpPorts, NOT_IN_DUMP } from './dump-ports.ts'

const SCENARIO = 'kvstore-single'

const HOST = '127.0.0.1:28657'

/** The options of the recorded runs, as runs.json has them. */
const RUNS: Readonly<Record<string, Partial<RpcOptions>>> = {
  main: { maxSubscriptionsPerClient: 20 },
  unsafe: {
    unsafe: true,
    corsAllowedOrigins: ['https://a.example', 'https://*.b.example'],
    maxBodyBytes: 5000,
    maxRequestBatchSize: 3,
    maxSubscriptionsPerClient: 2,
  },
  'cors-any': { corsAllowedOrigins: ['*'], maxRequestBatchSize: 0 },
  noindex: {},
}

const exchanges = recordingLines<Exchange>(`${SCENARIO}/answers.jsonl`)
const volatile = recordingJson<{ rules: VolatileRule[] }>(`${SCENARIO}/volatile.json`).rules

const { rules } = JSON.parse(readFileSync(new URL('../deviations.json', import.meta.url), 'utf8')) as {
  readonly rules: readonly DeviationRule[]
}

interface Count {
  equal: number
  /**
   * The ids of recordings whose answers differ from this node's answers. A rule in `deviations.json` permits each of
   * these differences.
   */
  readonly declared: string[]
  uncovered: number
  readonly different: { readonly id: string; readonly differences: readonly unknown[] }[]
}

/**
 * Sends every recorded request of a run. Counts separately the requests that cannot be answered from the recorded
 * databases.
 */
async function replay(run: string, deviations: readonly DeviationRule[]): Promise<Count> {
  const ports = createDumpPorts(SCENARIO, { indexing: run !== 'noindex' })
  const strict = deviations.length === 0
  // The Host headers of the recorded requests name many hosts. A listener on a loopback address refuses such requests,
  // unless it is strict: see cross-site-requests.test.ts. Therefore a listener that is not strict uses another address.
  const options = { ...RUNS[run], laddr: strict ? 'tcp://127.0.0.1:0' : 'tcp://0.0.0.0:0', strict }
  await using closing = new AsyncDisposableStack()
  const listener = await createRpc({ ports, options }).listen()
  const port = Number(/\d+$/.exec(listener.addresses[0] ?? '')?.[0])
  closing.defer(listener.stop)
  const sender = createSender(port, HOST)
  closing.defer(sender.close)
  const count: Count = { equal: 0, declared: [], uncovered: 0, different: [] }
  for (const exchange of exchanges.filter((one) => one.run === run)) {
    const got = await sender.send(exchange)
    const { comparison, differences } = judge(exchange, got, { volatile, deviations })
    if (comparison === 'equal' || comparison === 'volatile') count.equal++
    else if (comparison === 'deviation') count.declared.push(exchange.id)
    else if (JSON.stringify(got).includes(NOT_IN_DUMP)) count.uncovered++
    else count.different.push({ id: exchange.id, differences })
  }
  return count
}

describe('recorded exchanges over the dump of the databases', () => {
  test.each([
    ['main', 1500],
    ['unsafe', 100],
    ['cors-any', 12],
    ['noindex', 10],
  ])('default: run %s, strict', { timeout: 120_000 }, async (run, atLeast) => {
    const { equal, different } = await replay(run, [])
    expect(explainDifferences(different)).toBe('')
    expect(equal).toBeGreaterThanOrEqual(atLeast)
  })

  test('default: every deviation is declared, and their number is small', { timeout: 120_000 }, async () => {
    const declared: string[] = []
    for (const run of ['main', 'unsafe']) {
      const count = await replay(run, rules)
      expect(explainDifferences(count.different)).toBe('')
      declared.push(...count.declared)
    }
    expect(declared.length).toBeGreaterThan(50)
    expect(declared.length).toBeLessThan(250)
  })

  test('behavior: every rule matches a recorded exchange', () => {
    const others = ['kvstore-four', 'e2e-voteext'].flatMap((name) => recordingLines<Exchange>(`${name}/answers.jsonl`))
    const all = [...exchanges, ...others]
    const idle = rules.filter(({ id }) => !all.some((exchange) => globToRegExp(id).test(exchange.id)))
    expect(idle).toEqual([])
  })
})
