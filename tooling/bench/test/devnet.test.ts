import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '@org/golden'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findDevnets } from '../src/devnet/find-devnets.ts'
import { withProcess } from '../src/devnet/with-process.ts'
import { findSubjects } from '../src/subject.ts'
import { formatTable } from '../src/table.ts'
import { DEVNET_WORKLOADS } from '../src/workloads/index.ts'

const [halley] = findSubjects()
const { subjects } = findDevnets(halley)

async function emptyFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'devnet-bench-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

for (const name of ['cometmock', 'anvil'] as const) findProgram(name, `the benchmark of devnets beside ${name}`)

describe.each(subjects)('$name', (subject) => {
  test.each(DEVNET_WORKLOADS)('default: the short form of "$name" measures two times', async ({ run }) => {
    const directory = await emptyFolder()
    const rows = await run({ subject, directory, smoke: true, sizes: {} })
    expect(rows.map(({ unit }) => unit)).toEqual(['ms', 'ms'])
    for (const { metric, value } of rows) expect(value, metric).toBeGreaterThan(0)
  })

  test('default: a transaction makes one block', async () => {
    const directory = await emptyFolder()
    const made = await subject.use(directory, async ({ height, commit }) => {
      const before = await height()
      for (let id = 0; id < 3; id++) await commit(id)
      return (await height()) - before
    })
    expect(made).toBe(3)
  })
})

test('behavior: the notes say how a missing program is installed, and have the published figure', () => {
  vi.stubEnv('PATH', '/nothing')
  vi.stubEnv('COMETMOCK_BIN', '')
  vi.stubEnv('ANVIL_BIN', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const found = findDevnets(halley)
  expect(found.subjects.map(({ name }) => name)).toEqual(['halley'])
  expect(found.notes).toEqual([
    expect.stringContaining('go install ./cometmock'),
    expect.stringContaining('npm install --global'),
    expect.stringContaining('foundry-rs/foundry/issues/5499'),
  ])
})

test('behavior: programs that are installed are measured, and the notes compare them', () => {
  vi.stubEnv('COMETMOCK_BIN', '/programs/cometmock')
  vi.stubEnv('ANVIL_BIN', '/programs/anvil')
  onTestFinished(() => void vi.unstubAllEnvs())
  const found = findDevnets(halley)
  expect(found.subjects.map(({ name }) => name)).toEqual(['halley', 'cometmock', 'anvil'])
  expect(found.notes).toEqual([
    expect.stringContaining('different work'),
    expect.stringContaining('foundry-rs/foundry/issues/5499'),
  ])
})

test('behavior: with three programs, the table has a ratio to each of the others', () => {
  const row = { metric: 'blocks', unit: 'ms', values: { a: [2], b: [4], c: [1] } }
  const [head, , body] = formatTable([row], ['a', 'b', 'c']).split('\n')
  expect(head?.trim().split(/ {2,}/)).toEqual(['a', 'b', 'c', 'better than b by', 'better than c by'])
  expect(body?.split(/ {2,}/)).toEqual(['blocks', '2.00 ms', '4.00 ms', '1.00 ms', '2.00×', '0.50×'])
})

test('error: a program that ends before it is ready, with its error output', async () => {
  const directory = await emptyFolder()
  const args = ['--eval', 'console.error("no such option"); process.exit(3)']
  const options = { binary: process.execPath, args, directory, probe: () => Promise.reject(new Error('not ready')) }
  await expect(withProcess(options, () => Promise.resolve())).rejects.toThrow(
    'ended before it was ready: no such option',
  )
})
