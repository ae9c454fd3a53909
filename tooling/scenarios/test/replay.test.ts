import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DeviationRule, type Judged, runScenario } from '@org/golden'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRecordedApplication } from '../src/recorded-application.ts'

const root = new URL('../../../', import.meta.url).pathname
let directory = ''
let deviations: readonly DeviationRule[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'halley-scenarios-'))
  const file = await readFile(join(root, 'packages/rpc/deviations.json'), 'utf8')
  deviations = (JSON.parse(file) as { rules: DeviationRule[] }).rules
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const replay = (scenario: string, run: string, startArgs: readonly string[]): Promise<readonly Judged[]> =>
  runScenario({
    scenario,
    run,
    binary: join(root, 'apps/node/bin/halley'),
    startArgs,
    workDirectory: directory,
    deviations: startArgs.includes('--rpc.strict=true') ? [] : deviations,
  })
const different = (answers: readonly Judged[]): readonly Judged[] =>
  answers.filter(({ verdict }) => verdict === 'different')

const PROFILES: readonly (readonly string[])[] = [[], ['--rpc.strict=true']]

for (const profile of PROFILES) {
  const how = profile.length === 0 ? 'but for declared deviations' : 'without any deviation when strict'

  test.each(['network', 'alone'])(
    `golden: kvstore-four, run %s, answers as recorded ${how}`,
    async (run) => {
      const answers = await replay('kvstore-four', run, ['--proxy_app=kvstore-v0.38', ...profile])
      expect(answers.length).toBeGreaterThan(100)
      expect(different(answers)).toEqual([])
    },
    150_000,
  )

  test.each([0, 1, 2])(`golden: e2e-voteext, node %i, answers as recorded ${how}`, async (index) => {
    const application = await startRecordedApplication({
      recording: `e2e-voteext/app-node${index}.tar.gz`,
      address: `tcp://127.0.0.1:${28_802 + index * 10}`,
      directory: join(directory, `app-${index}-${profile.length}`),
    })
    try {
      const answers = await replay('e2e-voteext', `node${index}-alone`, profile)
      expect(answers.length).toBeGreaterThan(100)
      expect(different(answers)).toEqual([])
    } finally {
      await application.stop()
    }
  })
}
