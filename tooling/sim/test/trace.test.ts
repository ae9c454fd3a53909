import { spawnSync } from 'node:child_process'
import { makeScenario, runScenario } from '@org/simnet'
import { expect, test } from 'vitest'

const SEED = 12
const MAIN = new URL('../src/main.ts', import.meta.url).pathname

// These flags and variables imitate another machine. They change the compiled code, the threads, the time zone and the
// language.
const FLAGS = ['--no-opt', '--random-seed=99', '--single-threaded-gc']
const ENV = {
  ...process.env,
  TZ: 'Pacific/Auckland',
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
  UV_THREADPOOL_SIZE: '1',
}

test('behavior: a seed gives the same trace to the byte in another process with any environment', {
  timeout: 60_000,
}, async () => {
  const { digest } = await runScenario(makeScenario(SEED))
  const { stdout, stderr } = spawnSync(process.execPath, [...FLAGS, MAIN, '--seed', String(SEED)], {
    env: ENV,
    encoding: 'utf8',
  })
  expect(/^digest of the trace (\w+)$/m.exec(stdout)?.[1], stderr).toBe(digest)
})
