import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DECODERS } from '../src/decode/decoders/index.ts'
import { addRun, inputsOf, type Ledger, loadLedger, nextSeed, saveLedger } from '../src/decode/ledger.ts'

const run = { decoder: 'block', source: 'aa', inputs: 5, faults: 1 }

test('behavior: runs of the same code are added in one row, and runs of other code have other rows', () => {
  const ledger = [
    run,
    { ...run, faults: 0 },
    { ...run, source: 'bb', inputs: 7 },
    { ...run, decoder: 'address' },
  ].reduce(addRun, [] as Ledger)
  expect(ledger).toEqual([
    { decoder: 'address', source: 'aa', runs: 1, inputs: 5, faults: 1 },
    { decoder: 'block', source: 'aa', runs: 2, inputs: 10, faults: 1 },
    { decoder: 'block', source: 'bb', runs: 1, inputs: 7, faults: 1 },
  ])
  expect(inputsOf(ledger, 'block')).toBe(17)
  expect([nextSeed(ledger, 'block'), nextSeed(ledger, 'event')]).toEqual([4, 1])
})

test('behavior: a saved ledger is loaded unchanged, and a missing file is an empty ledger', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  const file = join(folder, 'ledger.json')
  expect(loadLedger(file)).toEqual([])
  const ledger = addRun(addRun([], run), { ...run, source: 'bb' })
  saveLedger(ledger, file)
  expect(loadLedger(file)).toEqual(ledger)
  rmSync(folder, { recursive: true })
})

test('default: the ledger in the repository names only existing decoders', () => {
  const names = DECODERS.map(({ name }) => name)
  const ledger = loadLedger()
  expect(ledger.length).toBeGreaterThan(0)
  for (const row of ledger) expect(names).toContain(row.decoder)
})
