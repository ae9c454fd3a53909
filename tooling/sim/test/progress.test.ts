import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createProgress } from '../src/progress.ts'
import { digestOfSources } from '../src/sources.ts'
import { addOutcome, NO_TOTALS } from '../src/totals.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'progress-'))
  return () => rmSync(folder, { recursive: true })
})

function oneDone() {
  const totals = structuredClone(NO_TOTALS)
  addOutcome(totals, { name: 'seed 1' }, { error: 'it broke' })
  return { names: ['seed 1'], totals }
}

test('default: finished runs are stored until all runs are finished', () => {
  const file = join(folder, 'a', 'b.json')
  const progress = createProgress(file, 'one')
  expect(progress.load()).toEqual({ names: [], totals: NO_TOTALS })
  progress.save(oneDone())
  progress.save(oneDone())
  expect(readdirSync(join(folder, 'a'))).toEqual(['b.json'])
  expect(createProgress(file, 'one').load()).toEqual(oneDone())
  progress.remove()
  expect(progress.load().names).toEqual([])
})

test('behavior: results of other sources do not count, and that is reported', () => {
  const file = join(folder, 'b.json')
  createProgress(file, 'one').save(oneDone())
  const { names, totals, note } = createProgress(file, 'other').load()
  expect([names, totals, note]).toEqual([
    [],
    NO_TOTALS,
    'the sources changed, so 1 results do not count: the run starts from its beginning',
  ])
})

test.each(['', '{"digest":"one","names":["seed 1"', '{"done":["seed 1"],"totals":{"networks":1}}', 'null'])(
  'error: a file with %s in it is reported, and its results do not count',
  (text) => {
    const file = join(folder, 'b.json')
    writeFileSync(file, text)
    const { names, note } = createProgress(file, 'one').load()
    expect(names).toEqual([])
    expect(note).toBe(`${file} is damaged: the run starts from its beginning`)
  },
)

test('default: a source that changes, or has another name, makes another digest', () => {
  const root = new URL('../../../', import.meta.url).pathname
  for (const name of ['engine', 'p2p', 'types', 'runtime', 'abci', 'rpc', 'light', 'node-rpc', 'simnet']) {
    mkdirSync(join(folder, 'packages', name, 'src'), { recursive: true })
  }
  cpSync(join(root, 'tooling/sim/src'), join(folder, 'tooling/sim/src'), { recursive: true })
  writeFileSync(join(folder, 'pnpm-lock.yaml'), '')
  const file = join(folder, 'packages/engine/src/x.ts')
  const seen = [digestOfSources(folder)]
  writeFileSync(file, 'a')
  seen.push(digestOfSources(folder))
  writeFileSync(file, 'b')
  seen.push(digestOfSources(folder))
  expect(new Set(seen).size).toBe(3)
  writeFileSync(join(folder, 'packages/engine/src/x.test.ts'), 'b')
  expect(digestOfSources(folder)).toBe(seen[2])
  expect(readFileSync(file, 'utf8')).toBe('b')
})
