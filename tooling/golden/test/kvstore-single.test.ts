import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DeviationRule,
  explainDifferences,
  globToRegExp,
  type Judged,
  recordingLines,
  runScenario,
} from '../src/index.ts'

const root = new URL('../../../', import.meta.url).pathname
const SCENARIOS = ['kvstore-single', 'kvstore-four', 'e2e-voteext']
const RUNS = ['main', 'unsafe', 'cors-any', 'halted', 'noindex']

/**
 * The maximum number of recorded answers for which any different answer is permitted, in all scenarios together. A rule
 * of `deviations.json` permits any different answer if the rule does not have the member `refused`.
 */
const MAX_DEVIATIONS = 120
/**
 * The maximum number of recorded answers to which a rule with the member `refused` applies, in all scenarios together.
 * Such a rule of `deviations.json` permits a different answer only if the recorded node refused the arguments or
 * crashed.
 */
const MAX_TAKEN_FORMS = 150

/**
 * Adds a listener on all addresses. A few recorded requests have other host names, and a listener on loopback refuses
 * these requests unless the node is strict (packages/rpc/test/cross-site-requests.test.ts). All other requests go to
 * the listener on loopback.
 */
const FOR_ALL_HOSTS = {
  config: { 'rpc.laddr': '"tcp://127.0.0.1:28657,tcp://0.0.0.0:28658"' },
  foreignPort: 28_658,
  volatile: [{ id: '*', path: '.*\\.node_info\\.other\\.rpc_address', reason: 'has a second listener' }],
}

describe('kvstore-single', { timeout: 180_000 }, () => {
  let directory = ''
  let deviations: readonly DeviationRule[] = []
  /**
   * The answers of each run, each with the result of its comparison. If the test of a run is repeated, the new answers
   * replace the old ones.
   */
  const answered = new Map<string, readonly Judged[]>()

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'halley-golden-'))
    const file = await readFile(join(root, 'packages/rpc/deviations.json'), 'utf8')
    deviations = (JSON.parse(file) as { rules: DeviationRule[] }).rules
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const run = (name: string, strict: boolean): Promise<readonly Judged[]> =>
    runScenario({
      scenario: 'kvstore-single',
      run: name,
      binary: join(root, 'apps/node/bin/halley'),
      startArgs: ['--proxy_app=kvstore-v0.38', ...(strict ? ['--rpc.strict=true'] : [])],
      workDirectory: directory,
      deviations: strict ? [] : deviations,
      ...(strict ? {} : FOR_ALL_HOSTS),
    })

  test.each(RUNS)('behavior: run %s answers as recorded, but for declared deviations', async (name) => {
    const answers = await run(name, false)
    answered.set(name, answers)
    expect(explainDifferences(answers.filter(({ comparison }) => comparison === 'different'))).toBe('')
  })

  test('behavior: every rule for a deviation matches a deviating answer', () => {
    const judged = [...answered.values()].flat()
    expect(judged.length).toBe(recordingLines('kvstore-single/answers.jsonl').length)
    const deviating = judged.filter(({ comparison }) => comparison === 'deviation')
    const matches = (rule: DeviationRule, ids: readonly { readonly id: string }[]): boolean =>
      ids.some(({ id }) => globToRegExp(rule.id).test(id))
    const idle = deviations.filter((rule) => matches(rule, judged) && !matches(rule, deviating))
    expect(idle).toEqual([])
    // All scenarios are searched, because some rules match only answers of `kvstore-four` or `e2e-voteext`.
    const recorded = SCENARIOS.flatMap((name) => recordingLines<{ id: string }>(`${name}/answers.jsonl`))
    expect(deviations.filter((rule) => !matches(rule, recorded))).toEqual([])
    const declared = (refused: boolean): number => {
      const rules = deviations.filter((rule) => (rule.refused === true) === refused)
      return recorded.filter(({ id }) => rules.some((rule) => globToRegExp(rule.id).test(id))).length
    }
    expect(declared(false)).toBeLessThanOrEqual(MAX_DEVIATIONS)
    expect(declared(true)).toBeLessThanOrEqual(MAX_TAKEN_FORMS)
  })

  test.each(RUNS)('behavior: run %s answers as recorded without any deviation when strict', async (name) => {
    const answers = await run(name, true)
    expect(explainDifferences(answers.filter(({ comparison }) => comparison === 'different'))).toBe('')
  })
})
