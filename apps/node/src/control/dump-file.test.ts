import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { saveDumpFile } from './dump-file.ts'
import { CONTROL_ERRORS } from './errors.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halley-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const DUMP = new Uint8Array([1, 2, 3])

test('behavior: a dump replaces an older file, and only its owner may read it', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'chain'), 'an older and longer dump', { mode: 0o644 })
  symlinkSync('chain', join(folder, 'link'))
  saveDumpFile('link', folder, DUMP)
  expect(new Uint8Array(readFileSync(join(folder, 'chain')))).toEqual(DUMP)
  expect(statSync(join(folder, 'chain')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['chain', 'link'])
})

test('error: if a dump cannot be written, the older file stays', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'chain'), 'an older dump')
  mkdirSync(join(folder, 'chain.new', 'full'), { recursive: true })
  expect(() => saveDumpFile('chain', folder, DUMP)).toThrow(expect.objectContaining({ code: CONTROL_ERRORS.dumpFile }))
  expect(readFileSync(join(folder, 'chain'), 'utf8')).toBe('an older dump')
})
