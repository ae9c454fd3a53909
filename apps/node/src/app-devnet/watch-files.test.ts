import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@org/runtime'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFileWatch } from './watch-files.ts'

function start() {
  const folder = mkdtempSync(join(tmpdir(), 'halley-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'app.ts')
  writeFileSync(file, 'one')
  const changes: (readonly string[])[] = []
  const clock = createSystemClock()
  const watch = createFileWatch((files) => void changes.push(files), clock)
  onTestFinished(watch.close)
  return { file, changes, watch, pass: (ms: number) => clock.sleep(ms) }
}

test('default: a file whose text changed is reported, and a file that was saved without a change is not', async () => {
  const { file, changes, watch, pass } = start()
  watch.follow(new Map([[file, 'one']]))
  writeFileSync(file, 'one')
  await pass(150)
  expect(changes).toEqual([])
  writeFileSync(file, 'two')
  await vi.waitFor(() => expect(changes).toEqual([[file]]), { timeout: 10_000 })
})

test('edge: nothing is reported after close, and follow has no effect then', async () => {
  const { file, changes, watch, pass } = start()
  watch.follow(new Map([[file, 'one']]))
  watch.close()
  watch.close()
  writeFileSync(file, 'two')
  watch.follow(new Map([[file, 'one']]))
  await pass(150)
  expect(changes).toEqual([])
})
