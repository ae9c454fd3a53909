import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT, registryAnswers } from '../src/packages.ts'
import { run } from '../src/run.ts'

const reachable = await registryAnswers()
if (!reachable) console.log('skipped: npx takes pnpm from the npm registry, which does not answer')

test.skipIf(!reachable)('default: npx asks about the pnpm version of the README only the first time', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const [, pnpm = ''] = /npx (pnpm@\S+) start/.exec(readme) ?? []
  const cache = await mkdtemp(join(tmpdir(), 'halley-npx-'))
  onTestFinished(() => rm(cache, { recursive: true }))
  const version = (yes: boolean): Promise<string> =>
    run(['npx', pnpm, '--version'], {
      cwd: cache,
      timeoutMs: 120_000,
      env: { npm_config_cache: cache, npm_config_yes: String(yes) },
    })
  const first = await version(true)
  // With `yes=false`, npx ends with an error if it would have to ask a question.
  expect(await version(false)).toBe(first)
})
