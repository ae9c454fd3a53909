import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DeviationRule,
  findProgram,
  globToRegExp,
  type Judged,
  recordingLines,
  runScenario,
  type ScenarioOptions,
} from '@org/golden'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRecordedApplication } from '../src/recorded-application.ts'

const root = new URL('../../../', import.meta.url).pathname
let directory = ''
let deviations: readonly DeviationRule[] = []
/**
 * The answers of each run in which deviations are permitted, each answer with the result of its comparison. The key
 * names the scenario and the run. If a test is repeated, the new answers replace the old ones.
 */
const answered = new Map<string, readonly Judged[]>()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'halley-scenarios-'))
  const file = await readFile(join(root, 'packages/rpc/deviations.json'), 'utf8')
  deviations = (JSON.parse(file) as { rules: DeviationRule[] }).rules
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const replay = (
  scenario: string,
  run: string,
  startArgs: readonly string[],
  more: Partial<ScenarioOptions> = {},
): Promise<readonly Judged[]> =>
  runScenario({
    ...more,
    scenario,
    run,
    binary: join(root, 'apps/node/bin/halley'),
    startArgs,
    workDirectory: directory,
    deviations: startArgs.includes('--rpc.strict=true') ? [] : deviations,
  })
const different = (answers: readonly Judged[]): readonly Judged[] =>
  answers.filter(({ comparison }) => comparison === 'different')

const ask = async <T>(port: number, path: string): Promise<T> => {
  const answer = await fetch(`http://127.0.0.1:${port}/${path}`)
  return ((await answer.json()) as { result: T }).result
}

interface BlockAnswer {
  readonly block_id: { readonly hash: string }
  readonly block: { readonly header: { readonly app_hash: string } }
}

/**
 * Sends a transaction, and waits until each node has two more blocks. Then checks that the first of the two blocks is
 * the same on all nodes.
 */
async function networkGoesOn(ports: readonly number[]): Promise<void> {
  const heightOf = async (port: number): Promise<number> =>
    Number((await ask<{ sync_info: { latest_block_height: string } }>(port, 'status')).sync_info.latest_block_height)
  const from = await heightOf(ports[0] as number)
  await ask(ports.at(-1) as number, `broadcast_tx_sync?tx="goes-on=yes"`)
  for (const port of ports) await expect.poll(() => heightOf(port), { timeout: 60_000 }).toBeGreaterThan(from + 1)
  const [first, ...others] = await Promise.all(ports.map((port) => ask<BlockAnswer>(port, `block?height=${from + 1}`)))
  for (const other of others) expect(other).toEqual(first)
}

const cometbft = findProgram('cometbft', 'the recorded network with both kinds of node')

test.skipIf(cometbft === undefined)(
  'golden: kvstore-four as a network of Halley and three Go nodes answers as recorded, and continues',
  async () => {
    const answers = await replay('kvstore-four', 'network', ['--proxy_app=kvstore-v0.38', '--rpc.strict=true'], {
      others: { binary: cometbft ?? '', startArgs: ['--proxy_app=kvstore'] },
      afterwards: networkGoesOn,
    })
    expect(answers.length).toBeGreaterThan(100)
    expect(different(answers)).toEqual([])
  },
  200_000,
)

const PROFILES: readonly (readonly string[])[] = [[], ['--rpc.strict=true']]

for (const profile of PROFILES) {
  const how = profile.length === 0 ? 'but for declared deviations' : 'without any deviation when strict'

  test.each(['network', 'alone'])(
    `golden: kvstore-four, run %s, answers as recorded ${how}`,
    async (run) => {
      const afterwards = run === 'network' ? { afterwards: networkGoesOn } : {}
      const answers = await replay('kvstore-four', run, ['--proxy_app=kvstore-v0.38', ...profile], afterwards)
      if (profile.length === 0) answered.set(`kvstore-four, ${run}`, answers)
      expect(answers.length).toBeGreaterThan(100)
      expect(different(answers)).toEqual([])
    },
    150_000,
  )

  test.each([0, 1, 2])(`golden: e2e-voteext, node %i, answers as recorded ${how}`, async (index) => {
    await using closing = new AsyncDisposableStack()
    const application = await startRecordedApplication({
      recording: `e2e-voteext/app-node${index}.tar.gz`,
      address: `tcp://127.0.0.1:${28_802 + index * 10}`,
      directory: join(directory, `app-${index}-${profile.length}`),
    })
    closing.defer(application.stop)
    const answers = await replay('e2e-voteext', `node${index}-alone`, profile)
    if (profile.length === 0) answered.set(`e2e-voteext, ${index}`, answers)
    expect(answers.length).toBeGreaterThan(100)
    expect(different(answers)).toEqual([])
  })
}

test('behavior: every rule that only these scenarios use matches a deviating answer', () => {
  const all = ['kvstore-four', 'e2e-voteext'].flatMap((name) => recordingLines(`${name}/answers.jsonl`))
  const judged = [...answered.values()].flat()
  expect(judged.length).toBe(all.length)
  const matches = ({ id: glob }: DeviationRule, ids: readonly { readonly id: string }[]): boolean =>
    ids.some(({ id }) => globToRegExp(glob).test(id))
  const elsewhere = recordingLines<{ id: string }>('kvstore-single/answers.jsonl')
  const deviating = judged.filter(({ comparison }) => comparison === 'deviation')
  expect(deviations.filter((rule) => !matches(rule, elsewhere) && !matches(rule, deviating))).toEqual([])
})
