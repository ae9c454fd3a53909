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
  mkdirSync(join(folder, 'chain.unfinished-dump', 'full'), { recursive: true })
  expect(() => saveDumpFile('chain', folder, DUMP)).toThrow(expect.objectContaining({ code: CONTROL_ERRORS.dumpFile }))
  expect(readFileSync(join(folder, 'chain'), 'utf8')).toBe('an older dump')
})

test('edge: a dump is written into a file that cannot be replaced, and no other file is removed', () => {
  const folder = temporaryFolder()
  // The temporary name of this file would be longer than the maximum of the file system, 255 bytes.
  const name = 'a'.repeat(253)
  writeFileSync(join(folder, name), 'an older and longer dump')
  writeFileSync(join(folder, 'chain.new'), 'a file of the user')
  saveDumpFile(name, folder, DUMP)
  saveDumpFile('chain', folder, DUMP)
  expect(new Uint8Array(readFileSync(join(folder, name)))).toEqual(DUMP)
  expect(readdirSync(folder).toSorted()).toEqual([name, 'chain', 'chain.new'].toSorted())
})
