import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { regExpFaults } from '../src/regexps.ts'
import { createSafeRegExps, readSafeRegExps, writeSafeRegExps } from '../src/safe-regexps.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halley-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('behavior: a second run knows the safe expressions of the first run, and no slow expression', async () => {
  const root = createFolder()
  const file = join(root, 'a.ts')
  writeFileSync(file, 'export const safe = /^[a-z]+$/u\nexport const slow = /(a+)+$/\n')
  const safe = readSafeRegExps(root)
  expect(await regExpFaults(root, [file], safe)).toEqual([expect.stringContaining('a.ts:2')])
  writeSafeRegExps(root, safe)
  expect(readSafeRegExps(root).list()).toEqual(['/^[a-z]+$/u'])
})

test('behavior: an expression that is known to be safe is not judged again', async () => {
  const root = createFolder()
  const file = join(root, 'a.ts')
  writeFileSync(file, 'export const slow = /(a+)+$/\n')
  expect(await regExpFaults(root, [file], createSafeRegExps(['/(a+)+$/']))).toEqual([])
})

test('behavior: without the file, no expression is known', () => {
  expect(readSafeRegExps(createFolder()).list()).toEqual([])
})
