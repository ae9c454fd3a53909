import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '@org/golden'
import { expect, onTestFinished, test } from 'vitest'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname

function startBench(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'))
  const bench = launch(process.execPath, [MAIN, 'smoke', ...args], { env: { TMPDIR: folder } })
  onTestFinished(async () => {
    await bench.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  const homes = (): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.startsWith('halley-bench-'))
  return { bench, folder, homes }
}

test('behavior: a run leaves only the file with its results', async () => {
  const { bench, folder } = startBench('--only', 'none')
  await bench.ended
  expect(bench.output()).toContain(`figures: ${join(folder, 'halley-bench.json')}`)
  expect(readdirSync(folder)).toEqual(['halley-bench.json'])
})

test.each(['SIGINT', 'SIGTERM'] as const)('behavior: %s during a run removes the homes', async (signal) => {
  const { bench, homes } = startBench('--only', 'blocks')
  await expect.poll(() => homes().some((name) => name.includes('blockstore.db')), { timeout: 30_000 }).toBe(true)
  await bench.stop(signal)
  await expect.poll(homes, { timeout: 15_000 }).toEqual([])
})
